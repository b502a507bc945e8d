import type { Quantity } from '@heliograph/metrics';
import type { Bounds } from '../../drivers/driver.ts';

/** Powers of a unit that reports its rating: four times it, for what passes through from the grid, or this many watts. */
const MIN_POWER_BOUND_W = 50_000;
const RATING_FACTOR = 4;

/** Powers of a unit that reports none, in watts: those of the largest central inverters. */
const POWER_BOUND_W = 5_000_000;

const BOUNDS: Readonly<Partial<Record<Quantity['unit'], Bounds>>> = {
  V: { min: -2_000, max: 2_000 },
  A: { min: -5_000, max: 5_000 },
  Hz: { min: 0, max: 100 },
  '°C': { min: -60, max: 200 },
  '%': { min: -1_000, max: 1_000 },
  Ah: { min: 0, max: 1_000_000 },
  kWh: { min: 0, max: 10_000_000 },
};

/** A share of something full. Some batteries count a little beyond it. */
const SHARE: Bounds = { min: 0, max: 100.5 };

/** Lithium cells have 2 to 4.5 V, lead ones 1.7 to 2.7 V. */
const CELL: Bounds = { min: 0, max: 10 };

const POWER_UNITS: readonly string[] = ['W', 'VA', 'var'];

/**
 * @param ratedW the unit's rated power, in watts
 * @returns undefined where any number can be
 */
export function boundsOf(
  { name, unit, deviceClass, setting }: Quantity,
  ratedW: number | null,
): Bounds | undefined {
  if (setting !== undefined) return setting.kind === 'number' ? setting : undefined;
  if (POWER_UNITS.includes(unit)) {
    const max =
      ratedW === null || ratedW <= 0 ? POWER_BOUND_W : Math.max(MIN_POWER_BOUND_W, RATING_FACTOR * ratedW);
    return { min: -max, max };
  }
  if (unit === '%' && (deviceClass === 'battery' || name.includes('tate of health'))) return SHARE;
  if (unit === 'V' && name.startsWith('Cell voltage')) return CELL;
  return BOUNDS[unit];
}

/** The largest change of a value, in its unit: immediately, and for each second since it was read. */
export interface Step {
  readonly step: number;
  readonly perSecond: number;
  /** Whether it may fall by as much as it may rise; a counter may not fall. */
  readonly falls: boolean;
  /** Whether it begins again, such as the energy of a day. */
  readonly restarts: boolean;
  /** A value beyond the step is believed once it has stayed for so long, in milliseconds. */
  readonly patienceMs: number;
}

const MINUTE_MS = 60_000;

/** A battery that is calibrated again leaps further; that is believed once it stays. */
const CHARGE_STEP: Step = {
  step: 30,
  perSecond: 0.5,
  falls: true,
  restarts: false,
  patienceMs: MINUTE_MS,
};

const TEMPERATURE_STEP: Step = {
  step: 40,
  perSecond: 0.2,
  falls: true,
  restarts: false,
  patienceMs: MINUTE_MS,
};

/** One megawatt for as long as it was not read, and what a counter shows late. An inverter takes minutes to boot. */
const COUNTER_STEP: Step = {
  step: 20,
  perSecond: 1_000 / 3_600,
  falls: false,
  restarts: false,
  patienceMs: 10 * MINUTE_MS,
};

/** Names of counters that begin again; all others count for the life of the hardware, such as `Import energy`. */
const OF_A_DAY = /\b(day|today|yesterday)\b/i;

/** @returns undefined where any change can be: powers, currents and voltages leap, and settings are set */
export function stepOf({ name, group, unit, deviceClass, stateClass }: Quantity): Step | undefined {
  if (group === 'Settings') return undefined;
  if (unit === '%' && deviceClass === 'battery') return CHARGE_STEP;
  if (unit === '°C') return TEMPERATURE_STEP;
  if (unit !== 'kWh' || stateClass !== 'total_increasing') return undefined;
  return OF_A_DAY.test(name) ? { ...COUNTER_STEP, restarts: true } : COUNTER_STEP;
}
