import { type Quantity, quantities } from '@heliograph/metrics';
import type { DeyeRegisterRow, Needs, Scales } from './row.ts';

/** Builders of the rows that both maps have, so that these read as tables of names and addresses. */

type Making = (name: string) => Quantity;

const hundredths =
  (make: Making): Making =>
  (name) => ({ ...make(name), decimals: 2 });

/** The battery's are measured in hundredths; other voltages and currents in tenths. */
const fineVoltage = hundredths(quantities.voltage);
const fineCurrent = hundredths(quantities.current);

type More = { readonly scales?: Scales; readonly needs?: Needs };

export const info = (
  name: string,
  type: 'ascii' | 'version',
  registers: readonly number[],
): DeyeRegisterRow => ({
  quantity: quantities.info(name),
  registers,
  type,
});

export const ratedPower = (registers: readonly number[]): DeyeRegisterRow => ({
  quantity: { name: 'Rated power', group: 'Info', unit: 'W', decimals: 0 },
  registers,
  type: 'u32',
  scale: 0.1,
});

/** Changes with every reading and is of use to installers alone. */
export const clock = (registers: readonly number[]): DeyeRegisterRow => ({
  quantity: { name: 'Inverter time', group: 'Ignore', unit: '' },
  registers,
  type: 'clock',
});

export const state = (
  name: string,
  register: number,
  labels: Readonly<Record<number, string>>,
  mask?: number,
): DeyeRegisterRow => ({
  quantity: quantities.state(name),
  registers: [register],
  type: 'code',
  labels,
  ...(mask === undefined ? {} : { mask }),
});

/** A power that flows one way. */
export const produced = (name: string, register: number, more: More = {}): DeyeRegisterRow => ({
  quantity: quantities.power(name),
  registers: [register],
  type: 'u16',
  ...more,
});

/** A power that flows both ways; newer three-phase firmware has its high word elsewhere. */
export const power = (
  name: string,
  registers: number | readonly number[],
  more: More = {},
): DeyeRegisterRow =>
  typeof registers === 'number'
    ? { quantity: quantities.power(name), registers: [registers], type: 's16', ...more }
    : { quantity: quantities.power(name), registers, type: 's16 extended', ...more };

export const voltage = (name: string, register: number, needs?: Needs): DeyeRegisterRow => ({
  quantity: quantities.voltage(name),
  registers: [register],
  type: 'u16',
  scale: 0.1,
  ...(needs === undefined ? {} : { needs }),
});

export const current = (name: string, register: number, needs?: Needs): DeyeRegisterRow => ({
  quantity: quantities.current(name),
  registers: [register],
  type: 'u16',
  scale: 0.1,
  ...(needs === undefined ? {} : { needs }),
});

export const alternatingCurrent = (name: string, register: number): DeyeRegisterRow => ({
  quantity: fineCurrent(name),
  registers: [register],
  type: 's16',
  scale: 0.01,
});

export const frequency = (name: string, register: number): DeyeRegisterRow => ({
  quantity: quantities.frequency(name),
  registers: [register],
  type: 'u16',
  scale: 0.01,
});

/** The count of 0 °C: the scale of temperatures begins at -100 °C. */
const FREEZING = 1000;

export const temperature = (name: string, register: number): DeyeRegisterRow => ({
  quantity: quantities.temperature(name),
  registers: [register],
  type: 'u16',
  scale: 0.1,
  zero: FREEZING,
  noValue: [0, 0xffff],
});

export const stateOfCharge = (name: string, register: number): DeyeRegisterRow => ({
  quantity: quantities.stateOfCharge(name),
  registers: [register],
  type: 'u16',
});

/** The inverter counts power out of the battery as positive. */
export const batteryPower = (name: string, register: number): DeyeRegisterRow => ({
  quantity: quantities.power(name),
  registers: [register],
  type: 's16',
  scales: { 'three-phase HV': 10 },
  opposite: true,
});

export const batteryCurrent = (name: string, register: number): DeyeRegisterRow => ({
  quantity: fineCurrent(name),
  registers: [register],
  type: 's16',
  scale: 0.01,
  scales: { 'single-phase 16 kW': 0.1 },
  opposite: true,
});

export const batteryVoltage = (name: string, register: number): DeyeRegisterRow => ({
  quantity: fineVoltage(name),
  registers: [register],
  type: 'u16',
  scale: 0.01,
  scales: { 'three-phase HV': 0.1 },
});

export const currentLimit = (name: string, register: number): DeyeRegisterRow => ({
  quantity: { ...quantities.current(name), decimals: 0 },
  registers: [register],
  type: 'u16',
});

/** A counter of the inverter's own: of today in one register, of its life in two. */
export const energy = (name: string, ...registers: readonly number[]): DeyeRegisterRow => ({
  quantity: quantities.lifetimeEnergy(name),
  registers,
  type: registers.length === 1 ? 'u16' : 'u32',
  scale: 0.1,
});
