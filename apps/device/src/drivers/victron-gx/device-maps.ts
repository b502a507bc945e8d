import { type Quantity, quantities } from '@heliograph/metrics';
import { BATTERY } from '../battery-quantities.ts';
import type { GxNumberLayout, GxRegisterRow } from './row.ts';
import { CHARGER_STATE, VEBUS_FAULT, VEBUS_STATE } from './states.ts';

const batteryNumber = (
  quantity: GxRegisterRow['quantity'],
  register: number,
  type: GxNumberLayout['type'],
  factor: number,
): GxRegisterRow => ({ quantity, register, type, factor });

/** A value that is never really 0, so that 0 means unknown. */
const batteryValue = (
  quantity: GxRegisterRow['quantity'],
  register: number,
  type: GxNumberLayout['type'],
  factor: number,
): GxRegisterRow => ({ quantity, register, type, factor, zeroIsUnknown: true });

export const BATTERY_VOLTAGE = batteryValue(BATTERY.voltage, 259, 'u16', 0.01);
export const BATTERY_CURRENT = batteryNumber(BATTERY.current, 261, 's16', 0.1);
export const BATTERY_CHARGE = batteryNumber(BATTERY.stateOfCharge, 266, 'u16', 0.1);

/** The power in 32 bits, and in 16 bits where there is no other. */
export const BATTERY_POWERS = [
  batteryNumber(BATTERY.power, 256, 's32', 1),
  batteryNumber(BATTERY.power, 258, 's16', 1),
] as const;

/** Further values of a battery monitor or a battery's own management. */
export const BATTERY_DETAILS: readonly GxRegisterRow[] = [
  batteryValue(BATTERY.temperature, 262, 's16', 0.1),
  batteryValue(BATTERY.stateOfHealth, 304, 'u16', 0.1),
  batteryValue(BATTERY.capacity, 309, 'u16', 0.1),
  batteryValue(BATTERY.cellLowest, 1290, 'u16', 0.01),
  batteryValue(BATTERY.cellHighest, 1291, 'u16', 0.01),
];

export const BATTERY_ROWS: readonly GxRegisterRow[] = [
  BATTERY_VOLTAGE,
  BATTERY_CURRENT,
  ...BATTERY_POWERS,
  BATTERY_CHARGE,
  ...BATTERY_DETAILS,
];

/** The rows of one solar charger, under names that end in its number, counted from 1. */
export interface ChargerRows {
  readonly power: GxRegisterRow;
  readonly voltage: GxRegisterRow;
  readonly yieldToday: GxRegisterRow;
  readonly state: GxRegisterRow;
  readonly enabled: GxRegisterRow;
}

export function chargerRows(number: number): ChargerRows {
  return {
    power: { quantity: quantities.power(`PV power ${number}`), register: 789, type: 'u16', factor: 0.1 },
    voltage: {
      quantity: quantities.voltage(`PV voltage ${number}`),
      register: 776,
      type: 'u16',
      factor: 0.01,
    },
    yieldToday: {
      quantity: quantities.lifetimeEnergy(`Day PV energy ${number}`),
      register: 784,
      type: 'u16',
      factor: 0.1,
    },
    state: {
      quantity: quantities.state(`MPPT state ${number}`),
      register: 775,
      type: 'code',
      labels: CHARGER_STATE,
    },
    enabled: {
      quantity: quantities.selectSetting(`MPPT enabled ${number}`, ['On', 'Off']),
      register: 774,
      type: 'code',
      labels: { 1: 'On', 4: 'Off' },
    },
  };
}

export const IMPORT = quantities.lifetimeEnergy('Total grid import');
export const EXPORT = quantities.lifetimeEnergy('Total grid export');

const kilowattHours = (quantity: Quantity, register: number): GxRegisterRow => ({
  quantity,
  register,
  type: 'u32',
  factor: 0.01,
});

const ofPhase = (quantity: Quantity, phase: number): Quantity => ({
  ...quantity,
  name: `${quantity.name} ${phase + 1}`,
});

/** A counter of the meter: of all phases (newer firmware), and of each phase. */
export interface MeterEnergy {
  readonly quantity: Quantity;
  readonly total: GxRegisterRow;
  readonly phases: readonly GxRegisterRow[];
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
export const METER_VOLTAGE: GxRegisterRow = {
  quantity: quantities.voltage('Grid voltage'),
  register: 2616,
  type: 'u16',
  factor: 0.1,
  zeroIsUnknown: true,
};

export const METER_ROWS: readonly GxRegisterRow[] = [
  METER_VOLTAGE,
  ...METER_ENERGIES.flatMap(({ total, phases }) => [total, ...phases]),
];

/** AC powers are counted in tens of watts. */
const TENS = 10;

/** How many phases the inverters make up together. */
export const PHASE_COUNT: GxRegisterRow = {
  quantity: { name: 'AC phases', group: 'Info', unit: '' },
  register: 28,
  type: 'u16',
  zeroIsUnknown: true,
};

const volts = (name: string, register: number): GxRegisterRow => ({
  quantity: quantities.voltage(name),
  register,
  type: 'u16',
  factor: 0.1,
});

const hertz = (name: string, register: number): GxRegisterRow => ({
  quantity: quantities.frequency(name),
  register,
  type: 's16',
  factor: 0.01,
  zeroIsUnknown: true,
});

const watts = (name: string, register: number): GxRegisterRow => ({
  quantity: quantities.power(name),
  register,
  type: 's16',
  factor: TENS,
});

export const INPUT_POWER = quantities.power('AC input power');
export const OUTPUT_POWER = quantities.power('AC output power');

/** Of each phase, the first one first. */
export const INPUT_POWERS = [1, 2, 3].map((phase) => watts(`${INPUT_POWER.name} ${phase}`, 11 + phase));
export const OUTPUT_POWERS = [1, 2, 3].map((phase) => watts(`${OUTPUT_POWER.name} ${phase}`, 22 + phase));
const INPUT_VOLTAGES = [1, 2, 3].map((phase) => volts(`Grid voltage ${phase}`, 2 + phase));
const OUTPUT_VOLTAGES = [1, 2, 3].map((phase) => volts(`AC output voltage ${phase}`, 14 + phase));

/** Rows by phase, which a system of one phase leaves out. */
export const PHASE_ROWS: readonly (readonly GxRegisterRow[])[] = [
  INPUT_VOLTAGES,
  INPUT_POWERS,
  OUTPUT_VOLTAGES,
  OUTPUT_POWERS,
];

/** Values of all Multis or Quattros of a VE.Bus system together. */
export const VEBUS_ROWS: readonly GxRegisterRow[] = [
  { quantity: quantities.state('Device mode'), register: 31, type: 'code', labels: VEBUS_STATE },
  { quantity: quantities.state('Fault'), register: 32, type: 'code', labels: VEBUS_FAULT },
  {
    quantity: quantities.state('Alarm'),
    register: 34,
    type: 'alarms',
    labels: ['High temperature', 'Low battery', 'Overload'],
  },
  volts('Grid voltage', 3),
  hertz('Grid frequency', 9),
  volts('AC output voltage', 15),
  hertz('AC output frequency', 21),
];

/** At the terminals of a battery with a sensor; 0 without one. */
export const BATTERY_TEMPERATURE: GxRegisterRow = {
  quantity: quantities.temperature('Battery temperature'),
  register: 61,
  type: 's16',
  factor: 0.1,
  zeroIsUnknown: true,
};
