export { appCode } from '@heliograph/cloud/testing';
export { clockEnv } from '@heliograph/kit';
export { ensurePagesAreBuilt } from '@heliograph/web/build';
export { employeeToken } from './employee-token.ts';
export { temporaryFolder } from './folders.ts';
export { reservedPorts } from './ports.ts';
export { createTestDatabase, sharedTemplate, type TestDatabase } from './test-database.ts';
export { testProgram, testProgramFolder } from './test-programs.ts';
