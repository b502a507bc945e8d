import { quantities } from '@heliograph/metrics';
import type { GxRegisterRow } from './row.ts';
import { VEBUS_FAULT, VEBUS_STATE } from './states.ts';

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

/** What one phase does not need to be told twice. */
export const PHASE_ROWS: readonly (readonly GxRegisterRow[])[] = [
  INPUT_VOLTAGES,
  INPUT_POWERS,
  OUTPUT_VOLTAGES,
  OUTPUT_POWERS,
];

/** What the Multis or Quattros of a VE.Bus system tell together. */
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
