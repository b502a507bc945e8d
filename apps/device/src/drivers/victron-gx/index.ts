export { decode, encode } from './codec.ts';
export { chargerRows } from './device-maps.ts';
export { victronGx as family } from './family.ts';
export { type GxRegisterRow, widthOf } from './row.ts';
export { SERVICE_ROWS, spansOf } from './service-rows.ts';
export { RANGES, type Service } from './services.ts';
export { PHASE_POWERS, type PhasePowerName } from './system-map.ts';
