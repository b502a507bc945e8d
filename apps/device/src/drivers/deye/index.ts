export { decode, encode } from '../modbus/codec.ts';
export { modelName } from './device-types.ts';
export { deye as family } from './family.ts';
export { measuredRows } from './identity.ts';
export type { DeyeRegisterRow } from './row.ts';
export { isThreePhase, type Profile } from './row.ts';
export { settingsFor } from './settings.ts';
export { ONE_BATTERY } from './three-phase.ts';
