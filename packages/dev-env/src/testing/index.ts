export { ensurePagesAreBuilt } from '@heliograph/web/build';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
