export { RetrySlots } from '@heliograph/cloud/retry-slots';
export { UPLINK_TIMES } from '@heliograph/device/uplink-times';
export { StartRefusal } from './machine/start-refusal.ts';
export type { ExtraEnv, PartName } from './parts.ts';
export type { RunFile } from './run-file.ts';
export type { ManagedProcess } from './supervisor/index.ts';
export { type System, type SystemOptions, startSystem } from './system.ts';
