export { ensurePagesAreBuilt } from '@heliograph/web/build';
export { lastingPorts } from './ports.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
