export { HOURS_REACHED } from '../storage/store-loss.ts';
export { addEnergy, HALF_WMS_PER_WH, NO_ENERGY } from './energy-amount.ts';
export { EnergyStore } from './energy-store.ts';
export { FLOWS } from './flows.ts';
export { hourAt, type LocalHour } from './hour.ts';
export { COUNTERS, type HourAmounts, sumOfAmounts } from './hour-ledger.ts';
export type { Energy } from './ledger.ts';
export { dayAt, machineTimeZone } from './period.ts';
export { transfersOf } from './transfers.ts';
