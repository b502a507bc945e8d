import { type Quantity, quantities } from '@heliograph/metrics';
import type { Entry } from './entries.ts';

const { cellVoltage, info, percentage, power, state, stateOfCharge, temperature } = quantities;

/** A battery's voltages and currents are small and steady, so a second decimal is significant. */
const voltage = (name: string): Quantity => ({ ...quantities.voltage(name), decimals: 2 });
const current = (name: string): Quantity => ({ ...quantities.current(name), decimals: 2 });

/** In ampere-hours, for which Home Assistant has no device class. */
export const charge = (name: string): Quantity => ({
  name,
  group: 'Status',
  unit: 'Ah',
  decimals: 2,
  stateClass: 'measurement',
});

/** A limit that the battery asks an inverter to respect now. */
function limit(name: string, unit: 'V' | 'A'): Quantity {
  const CLASSES = {
    V: { decimals: 3, deviceClass: 'voltage' },
    A: { decimals: 1, deviceClass: 'current' },
  } as const;
  return { name, group: 'Status', unit, ...CLASSES[unit] };
}

/** Quantities of battery management systems, under the names that clients know. */
export const BATTERY = {
  stateOfCharge: stateOfCharge('State of charge'),
  stateOfHealth: percentage('State of health'),
  voltage: voltage('Voltage'),
  /** Positive into the battery. */
  current: current('Current'),
  /** Positive into the battery. */
  power: power('Power'),
  temperature: temperature('Temperature'),
  cellTemperatureHighest: temperature('Cell temperature - Highest'),
  cellTemperatureLowest: temperature('Cell temperature - Lowest'),
  mosfetTemperature: temperature('Temperature MOS'),
  ambientTemperature: temperature('Temperature ambient'),
  /** Rated; of Pylontech the charge of the full battery. */
  capacity: charge('Capacity'),
  /** The charge of the full battery, as the BMS has learned it. */
  fullCapacity: charge('Full capacity'),
  chargeCapacity: charge('Charge capacity'),
  cycles: { name: 'Cycles', group: 'Status', unit: '', decimals: 0, stateClass: 'total_increasing' },
  chargeState: state('Charge state'),
  alarms: state('Alarms'),
  chargeMosfet: state('Charge MOSFET'),
  dischargeMosfet: state('Discharge MOSFET'),
  preChargeMosfet: state('Pre-charge MOSFET'),
  balancer: state('Balancer'),
  balanceCurrent: current('Balance current'),
  heater: state('Heater'),
  cellAverage: cellVoltage('Cell voltage - Average'),
  cellHighest: cellVoltage('Cell voltage - Highest'),
  cellLowest: cellVoltage('Cell voltage - Lowest'),
  cellImbalance: cellVoltage('Cell voltage - Imbalance'),
  cellCount: { name: 'Cell count', group: 'Info', unit: '', decimals: 0 },
  chargeVoltageLimit: limit('Charge voltage limit', 'V'),
  dischargeVoltageLimit: limit('Discharge voltage limit', 'V'),
  chargeCurrentLimit: limit('Charge current limit', 'A'),
  /** Negative, as the current out of the battery is. */
  dischargeCurrentLimit: limit('Discharge current limit', 'A'),
  manufacturer: info('Manufacturer'),
  modelName: info('Model name'),
  serialNumber: info('Serial number'),
  firmwareVersion: info('Firmware version'),
  hardwareVersion: info('Hardware version'),
} as const satisfies Readonly<Record<string, Quantity>>;

/** More than any battery has. The quantities are made once, because every reading holds many. */
const MAX_NUMBERED = 32;
const numbered = (make: (name: string) => Quantity, name: string): readonly Quantity[] =>
  Array.from({ length: MAX_NUMBERED }, (_, index) => make(`${name} ${index + 1}`));
const CELLS = numbered(cellVoltage, 'Cell voltage');
const TEMPERATURES = numbered(temperature, 'Temperature');

/** A cell, counted from 1. */
export const cellNumber = (number: number): Quantity =>
  CELLS[number - 1] ?? cellVoltage(`Cell voltage ${number}`);
/** A sensor, counted from 1. */
export const temperatureNumber = (number: number): Quantity =>
  TEMPERATURES[number - 1] ?? temperature(`Temperature ${number}`);

/**
 * Each cell's voltage, and their average, extremes and imbalance.
 *
 * @param volts by cell from the first; no cells make no entries
 * @param reported the hardware's own figures, which replace the computed ones
 */
export function cellEntries(
  volts: readonly number[],
  reported: { readonly average?: number; readonly imbalance?: number } = {},
): readonly Entry[] {
  if (volts.length === 0) return [];
  const highest = Math.max(...volts);
  const lowest = Math.min(...volts);
  const sum = volts.reduce((total, cell) => total + cell, 0);
  return [
    [BATTERY.cellAverage, reported.average ?? sum / volts.length],
    [BATTERY.cellHighest, highest],
    [BATTERY.cellLowest, lowest],
    [BATTERY.cellImbalance, reported.imbalance ?? highest - lowest],
    ...volts.map((cell, index): Entry => [cellNumber(index + 1), cell]),
  ];
}

/**
 * Each sensor of the cells, and their average.
 *
 * @param celsius by sensor from the first, null for one that is not connected; no sensors make no entries
 */
export function cellTemperatureEntries(celsius: readonly (number | null)[]): readonly Entry[] {
  if (celsius.length === 0) return [];
  const known = celsius.filter((value) => value !== null);
  const sum = known.reduce((total, value) => total + value, 0);
  return [
    [BATTERY.temperature, known.length === 0 ? null : sum / known.length],
    ...celsius.map((value, index): Entry => [temperatureNumber(index + 1), value]),
  ];
}

/** Whether a switch is closed. */
export const onOff = (isOn: boolean): 'On' | 'Off' => (isOn ? 'On' : 'Off');

/** Voltage, current, and their product as the power. */
export function terminalEntries(volts: number, amps: number | null): readonly Entry[] {
  return [
    [BATTERY.voltage, volts],
    [BATTERY.current, amps],
    [BATTERY.power, amps === null ? null : volts * amps],
  ];
}

/** All active alarms in one text; `None` without any. */
export function alarmText(alarms: readonly string[]): string {
  return alarms.length === 0 ? 'None' : alarms.join(', ');
}
