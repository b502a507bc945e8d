export type { ConnectionEntry } from './config-file.ts';
export { type ConfigChange, editConfig } from './edit-config.ts';
