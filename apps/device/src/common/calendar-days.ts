export * from '@heliograph/kit/calendar-days';
