export { decode, encode } from '../modbus/codec.ts';
export type { RegisterRow } from '../modbus/row.ts';
export { chargerRows } from './device-maps.ts';
export { victronGx as family } from './family.ts';
export { gxSpansOf, SERVICE_ROWS } from './service-rows.ts';
export { RANGES, type Service } from './services.ts';
export { PHASE_POWERS, type PhasePowerName } from './system-map.ts';
