export * from '@heliograph/kit/local-hours';
