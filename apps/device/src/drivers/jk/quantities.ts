import { type Quantity, quantities } from '@heliograph/metrics';
import { charge } from '../battery-quantities.ts';

const { info, state } = quantities;

const CLASSES = { V: 'voltage', A: 'current', s: 'duration' } as const;

/** A value that was set in the BMS; it is shown and not written from here. */
const configured = (name: string, unit: keyof typeof CLASSES, decimals: number): Quantity => ({
  name,
  group: 'Info',
  unit,
  decimals,
  deviceClass: CLASSES[unit],
});
export const configuredCellVoltage = (name: string): Quantity => configured(name, 'V', 3);
export const configuredVoltage = (name: string): Quantity => configured(name, 'V', 2);
export const configuredCurrent = (name: string): Quantity => configured(name, 'A', 2);
export const configuredDelay = (name: string): Quantity => configured(name, 's', 0);

/** Quantities of both protocols beside those of every battery. */
export const JK = {
  chargeLimitReached: state('Charge limit reached'),
  cycleCapacity: { ...charge('Cycle capacity'), stateClass: 'total_increasing' },
  runtime: configured('Runtime', 's', 0),
  maxChargeCurrent: configuredCurrent('Max charge current'),
  maxDischargeCurrent: configuredCurrent('Max discharge current'),
  balancing: info('Balancing'),
  chargeSwitch: info('Charge switch'),
  dischargeSwitch: info('Discharge switch'),
  batteryType: info('Battery type'),
  deviceName: info('Device name'),
  deviceId: info('Device ID'),
  manufacturerId: info('Manufacturer ID'),
} as const satisfies Readonly<Record<string, Quantity>>;

export const OFF_ON: readonly string[] = ['Off', 'On'];
export const DISABLED_ENABLED: readonly string[] = ['Disabled', 'Enabled'];
