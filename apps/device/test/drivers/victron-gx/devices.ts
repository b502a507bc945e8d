import { serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import { wide } from './gx.ts';

/** The system's registers of its battery. */
export const BATTERY = { 840: 524, 841: 100, 842: 520, 843: 80, 844: 1 };
/** The devices behind a GX, of which tests take what they need. */
export const VEBUS = serviceRegisters('vebus', {
  3: 2301,
  9: 5001,
  12: 42,
  15: 2300,
  21: 5000,
  23: 30,
  28: 1,
  31: 3,
});
export const BMS = serviceRegisters('battery', {
  ...wide(256, 520),
  258: 520,
  259: 5240,
  261: 100,
  266: 800,
  304: 990,
});
export const CHARGER = serviceRegisters('solarcharger', {
  774: 1,
  775: 3,
  776: 12_010,
  784: 52,
  789: 14_004,
});
export const METER = serviceRegisters('grid', { ...wide(2634, 123_456), ...wide(2636, 654) });
