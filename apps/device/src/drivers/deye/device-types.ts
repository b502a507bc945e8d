import { quantities } from '@heliograph/metrics';
import type { DeyeRegisterRow, Profile } from './row.ts';

export const DEVICE_TYPE_REGISTER = 0;

export interface DeviceType {
  readonly name: string;
  /** Absent where the registers are others: those of `driver`. */
  readonly profile?: Profile;
  readonly driver?: string;
  /** Whether sources have it for other inverters, too: it is written only where it reports a battery. */
  readonly isDisputed?: true;
}

/**
 * Source: kellerza/sunsynk. From davidrapan/ha-solarman (`deye_p3.yaml`): 7 and 8, and 768 and 1024, which are 3 and
 * 4 with their bytes swapped. That source has 260 for single-phase hybrids, which kellerza calls storage, and 512 for string inverters,
 * which kellerza has for hybrids of 16 kW.
 */
const DEVICE_TYPES: Readonly<Record<number, DeviceType>> = {
  2: { name: 'String inverter', driver: 'deye-string' },
  3: { name: 'Single-phase hybrid', profile: 'single-phase' },
  4: { name: 'Micro inverter', driver: 'deye-micro' },
  5: { name: 'Three-phase LV hybrid', profile: 'three-phase LV' },
  6: { name: 'Three-phase HV hybrid', profile: 'three-phase HV' },
  7: { name: 'Three-phase HV hybrid, 6-15 kW', profile: 'three-phase HV' },
  8: { name: 'Three-phase HV hybrid, 20-50 kW', profile: 'three-phase HV' },
  259: { name: 'Single-phase hybrid', profile: 'single-phase' },
  260: { name: 'Energy storage', profile: 'single-phase', isDisputed: true },
  512: { name: 'Single-phase LV hybrid', profile: 'single-phase 16 kW', isDisputed: true },
  768: { name: 'Single-phase hybrid', profile: 'single-phase' },
  1024: { name: 'Micro inverter', driver: 'deye-micro' },
  1280: { name: 'Three-phase LV hybrid', profile: 'three-phase LV' },
  1536: { name: 'Three-phase HV hybrid', profile: 'three-phase HV' },
  1537: { name: 'Three-phase HV hybrid, 6-15 kW', profile: 'three-phase HV' },
  1538: { name: 'Three-phase HV hybrid, 20-50 kW', profile: 'three-phase HV' },
};

export function deviceType(code: number): DeviceType | undefined {
  return DEVICE_TYPES[code];
}

export const modelName: DeyeRegisterRow = {
  quantity: quantities.info('Model name'),
  registers: [DEVICE_TYPE_REGISTER],
  type: 'code',
  labels: Object.fromEntries(Object.entries(DEVICE_TYPES).map(([code, { name }]) => [code, name])),
};
