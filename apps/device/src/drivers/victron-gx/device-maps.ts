import { type Quantity, quantities } from '@heliograph/metrics';
import { BATTERY } from '../battery-quantities.ts';
import type { RegisterRow } from '../modbus/row.ts';
import { codeRow, numberRow } from './row-builders.ts';
import { CHARGER_STATE, VEBUS_FAULT, VEBUS_STATE } from './states.ts';

const TENTHS = { scale: 0.1 };
const HUNDREDTHS = { scale: 0.01 };

/** Of values that are never really 0. */
const KNOWN_TENTHS = { ...TENTHS, zeroIsUnknown: true } as const;
const KNOWN_HUNDREDTHS = { ...HUNDREDTHS, zeroIsUnknown: true } as const;

export const BATTERY_VOLTAGE = numberRow(BATTERY.voltage, 259, 'u16', KNOWN_HUNDREDTHS);
export const BATTERY_CURRENT = numberRow(BATTERY.current, 261, 's16', TENTHS);
export const BATTERY_CHARGE = numberRow(BATTERY.stateOfCharge, 266, 'u16', TENTHS);

/** The power in 32 bits, and in 16 bits where there is no other. */
export const BATTERY_POWERS = [
  numberRow(BATTERY.power, 256, 's32'),
  numberRow(BATTERY.power, 258, 's16'),
] as const;

/** Further values of a battery monitor or a battery's own management. */
export const BATTERY_DETAILS: readonly RegisterRow[] = [
  numberRow(BATTERY.temperature, 262, 's16', KNOWN_TENTHS),
  numberRow(BATTERY.stateOfHealth, 304, 'u16', KNOWN_TENTHS),
  numberRow(BATTERY.capacity, 309, 'u16', KNOWN_TENTHS),
  numberRow(BATTERY.cellLowest, 1290, 'u16', KNOWN_HUNDREDTHS),
  numberRow(BATTERY.cellHighest, 1291, 'u16', KNOWN_HUNDREDTHS),
];

export const BATTERY_ROWS: readonly RegisterRow[] = [
  BATTERY_VOLTAGE,
  BATTERY_CURRENT,
  ...BATTERY_POWERS,
  BATTERY_CHARGE,
  ...BATTERY_DETAILS,
];

/** The rows of one solar charger, under names that end in its number, counted from 1. */
export interface ChargerRows {
  readonly power: RegisterRow;
  readonly voltage: RegisterRow;
  readonly yieldToday: RegisterRow;
  readonly state: RegisterRow;
  readonly enabled: RegisterRow;
}

export function chargerRows(number: number): ChargerRows {
  return {
    power: numberRow(quantities.power(`PV power ${number}`), 789, 'u16', TENTHS),
    voltage: numberRow(quantities.voltage(`PV voltage ${number}`), 776, 'u16', HUNDREDTHS),
    yieldToday: numberRow(quantities.lifetimeEnergy(`Day PV energy ${number}`), 784, 'u16', TENTHS),
    state: codeRow(quantities.state(`MPPT state ${number}`), 775, CHARGER_STATE),
    enabled: codeRow(quantities.selectSetting(`MPPT enabled ${number}`, ['On', 'Off']), 774, {
      1: 'On',
      4: 'Off',
    }),
  };
}

export const IMPORT = quantities.lifetimeEnergy('Total grid import');
export const EXPORT = quantities.lifetimeEnergy('Total grid export');

const kilowattHours = (quantity: Quantity, register: number): RegisterRow =>
  numberRow(quantity, register, 'u32', HUNDREDTHS);

const ofPhase = (quantity: Quantity, phase: number): Quantity => ({
  ...quantity,
  name: `${quantity.name} ${phase + 1}`,
});

/** A counter of the meter: of all phases (newer firmware), and of each phase. */
export interface MeterEnergy {
  readonly quantity: Quantity;
  readonly total: RegisterRow;
  readonly phases: readonly RegisterRow[];
}

export const METER_ENERGIES: readonly MeterEnergy[] = [
  {
    quantity: IMPORT,
    total: kilowattHours(IMPORT, 2634),
    phases: [2622, 2624, 2626].map((register, phase) => kilowattHours(ofPhase(IMPORT, phase), register)),
  },
  {
    quantity: EXPORT,
    total: kilowattHours(EXPORT, 2636),
    phases: [2628, 2630, 2632].map((register, phase) => kilowattHours(ofPhase(EXPORT, phase), register)),
  },
];

/** The voltage at the meter, for a system without a VE.Bus to measure it. */
export const METER_VOLTAGE = numberRow(quantities.voltage('Grid voltage'), 2616, 'u16', KNOWN_TENTHS);

export const METER_ROWS: readonly RegisterRow[] = [
  METER_VOLTAGE,
  ...METER_ENERGIES.flatMap(({ total, phases }) => [total, ...phases]),
];

/** How many phases the inverters make up together. */
export const PHASE_COUNT = numberRow({ name: 'AC phases', group: 'Info', unit: '' }, 28, 'u16', {
  zeroIsUnknown: true,
});

const volts = (name: string, register: number): RegisterRow =>
  numberRow(quantities.voltage(name), register, 'u16', TENTHS);

const hertz = (name: string, register: number): RegisterRow =>
  numberRow(quantities.frequency(name), register, 's16', KNOWN_HUNDREDTHS);

/** AC powers are counted in tens of watts. */
const watts = (name: string, register: number): RegisterRow =>
  numberRow(quantities.power(name), register, 's16', { scale: 10 });

export const INPUT_POWER = quantities.power('AC input power');
export const OUTPUT_POWER = quantities.power('AC output power');

/** Of each phase, the first one first. */
export const INPUT_POWERS = [1, 2, 3].map((phase) => watts(`${INPUT_POWER.name} ${phase}`, 11 + phase));
export const OUTPUT_POWERS = [1, 2, 3].map((phase) => watts(`${OUTPUT_POWER.name} ${phase}`, 22 + phase));
const INPUT_VOLTAGES = [1, 2, 3].map((phase) => volts(`Grid voltage ${phase}`, 2 + phase));
const OUTPUT_VOLTAGES = [1, 2, 3].map((phase) => volts(`AC output voltage ${phase}`, 14 + phase));

/** Rows by phase, which a system of one phase leaves out. */
export const PHASE_ROWS: readonly (readonly RegisterRow[])[] = [
  INPUT_VOLTAGES,
  INPUT_POWERS,
  OUTPUT_VOLTAGES,
  OUTPUT_POWERS,
];

/** Values of all Multis or Quattros of a VE.Bus system together. */
export const VEBUS_ROWS: readonly RegisterRow[] = [
  codeRow(quantities.state('Device mode'), 31, VEBUS_STATE),
  codeRow(quantities.state('Fault'), 32, VEBUS_FAULT),
  {
    quantity: quantities.state('Alarm'),
    registers: [34, 35, 36],
    type: 'alarms',
    labels: ['High temperature', 'Low battery', 'Overload'],
  },
  volts('Grid voltage', 3),
  hertz('Grid frequency', 9),
  volts('AC output voltage', 15),
  hertz('AC output frequency', 21),
];

/** At the terminals of a battery with a sensor; 0 without one. */
export const BATTERY_TEMPERATURE = numberRow(
  quantities.temperature('Battery temperature'),
  61,
  's16',
  KNOWN_TENTHS,
);
