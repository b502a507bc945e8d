import type { cloudOperations } from '@heliograph/contracts/operations';
import type { Methods } from './methods.ts';

/** A method for each operation of the cloud. The build replaces this module by one without computed types. */
export type CloudMethods = Methods<typeof cloudOperations>;
