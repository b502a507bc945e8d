export type { ConnectionEntry } from './config-file.ts';
export { configuredDrivers } from './configured-drivers.ts';
export { type ConfigChange, editConfig } from './edit-config.ts';
