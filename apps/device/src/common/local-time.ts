export * from '@heliograph/kit/local-time';
