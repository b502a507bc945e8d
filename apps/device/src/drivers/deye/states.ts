import { quantities } from '@heliograph/metrics';
import type { DeyeRegisterRow } from './row.ts';

/** Some old firmware reports 3 where newer firmware reports 4. Source: StephanJoubert/home_assistant_solarman. */
export const RUNNING_STATES = {
  0: 'Standby',
  1: 'Self-check',
  2: 'Normal',
  3: 'Alarm',
  4: 'Fault',
  5: 'Activating',
};

/** Bits 0 and 1 of the parallel register: parallel operation, and master. */
export const PARALLEL_ROLE = 'Parallel role';
export const SLAVE = 'Slave';
export const PARALLEL_ROLES = { 0: 'Single', 1: SLAVE, 2: 'Single', 3: 'Master' };
export const PARALLEL_MASK = 0b11;

const ALARMS = {
  1: 'Fan',
  2: 'Grid phase wrong',
  3: 'Meter communication',
  30: 'Battery loss',
  31: 'Parallel communication quality',
};

/** By their number on the screen. Source: kellerza/sunsynk. */
const FAULTS: Readonly<Record<number, string>> = {
  7: 'DC/DC soft start',
  10: 'Auxiliary power supply',
  13: 'Working mode change',
  18: 'AC over current',
  20: 'DC over current',
  22: 'Emergency stop',
  23: 'AC leakage or transient over current',
  24: 'DC insulation impedance',
  26: 'DC busbar imbalanced',
  29: 'Parallel communication cable',
  34: 'AC overload (backup)',
  35: 'No AC grid',
  41: 'Parallel system stopped',
  42: 'AC line low voltage',
  47: 'AC frequency too high',
  48: 'AC frequency too low',
  55: 'DC busbar voltage high',
  56: 'DC busbar voltage low',
  58: 'BMS communication lost',
  62: 'DRM stop',
  63: 'ARC fault',
  64: 'Heat sink temperature',
};

/** Faults count from 1, bits from 0. */
const faultNumber = (bit: number): string => `F${String(bit + 1).padStart(2, '0')}`;

export const alarms = (registers: readonly number[]): DeyeRegisterRow => ({
  quantity: quantities.state('Alarm'),
  registers,
  type: 'flags',
  labels: ALARMS,
  unnamed: (bit) => `Alarm ${bit}`,
  none: 'OK',
});

export const faults = (registers: readonly number[]): DeyeRegisterRow => ({
  quantity: quantities.state('Fault'),
  registers,
  type: 'flags',
  labels: Object.fromEntries(
    Object.entries(FAULTS).map(([number, text]) => {
      const bit = Number(number) - 1;
      return [bit, `${faultNumber(bit)} ${text}`];
    }),
  ),
  unnamed: faultNumber,
  none: 'OK',
});

export const relays = (register: number): DeyeRegisterRow => ({
  quantity: quantities.state('Relay status'),
  registers: [register],
  type: 'flags',
  labels: {
    0: 'Inverter',
    2: 'Grid',
    3: 'Generator',
    4: 'Grid feeds',
    5: 'Dry contact 1',
    6: 'Dry contact 2',
  },
  unnamed: (bit) => `Relay ${bit}`,
  none: 'None',
});
