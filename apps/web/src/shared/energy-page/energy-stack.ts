import type { EnergyAnswer } from '@heliograph/client';
import type { Tone } from '../format/tone.ts';

type Step = EnergyAnswer['steps'][number];

/** Parts of a bar: above the line what served the house, below it what did not. */
export const STACK_PARTS = ['fromSolar', 'fromBattery', 'fromGrid', 'toBattery', 'toGrid'] as const;
export type StackPart = (typeof STACK_PARTS)[number];

export const TONE_OF: Readonly<Record<StackPart, Tone>> = {
  fromSolar: 'solar',
  fromBattery: 'battery',
  fromGrid: 'grid',
  toBattery: 'battery',
  toGrid: 'grid',
};

/** Energy in kWh by part; null is unknown. */
export type Stack = Readonly<Record<StackPart, number | null>>;

export function stackOf(step: Step): Stack {
  return {
    fromSolar: step.pv_to_load,
    fromBattery: step.battery_to_load,
    fromGrid: step.grid_to_load,
    toBattery: step.battery_in,
    toGrid: step.grid_out,
  };
}

/** The height above the line and the depth below it, in kWh. */
export function extentOf(stack: Stack): { readonly up: number; readonly down: number } {
  const { fromSolar, fromBattery, fromGrid, toBattery, toGrid } = stack;
  return {
    up: (fromSolar ?? 0) + (fromBattery ?? 0) + (fromGrid ?? 0),
    down: (toBattery ?? 0) + (toGrid ?? 0),
  };
}

/** The least that energies show, in kWh. */
const FINEST_STEP = 0.01;

/** Lines of a scale that contains zero and both ends: at most five, at round numbers. */
export function scaleLines(up: number, down: number): readonly number[] {
  const whole = up + down;
  if (whole <= 0) return [0];
  const rough = whole / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power;
  const step = Math.max(FINEST_STEP, round);
  const lines: number[] = [];
  for (let at = -Math.ceil(down / step - 1e-9); at <= Math.ceil(up / step - 1e-9); at++)
    lines.push(Number((at * step).toPrecision(6)));
  return lines;
}
