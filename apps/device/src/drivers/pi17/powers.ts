import type { Entry } from '../entries.ts';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import {
  balancedPowers,
  batteryPower,
  type GridState,
  type MeasuredPowers,
  powerEntries,
  sum,
  usedPower,
} from '../voltronic/powers.ts';
import { GENERAL, POWER } from './queries.ts';

const ON_BATTERY = '03';
/** Bypass, hybrid and charge mode. */
const ON_GRID = /^0[256]$/;

/** The line power direction while the inverter feeds the grid. */
const OUTPUT = '2';

/** A total that the firmware made of its phases differs from their sum by no more; in W. */
const ROUNDING_W = 3;

export interface PowerAnswers {
  readonly general: AnswerFields;
  readonly power: AnswerFields;
  /** Undefined when it was not requested, null when it could not be read this time. */
  readonly mode: string | null | undefined;
}

/** The powers of one poll: all of them, or none, since they must add up. */
export function powersOf({ general, power, mode }: PowerAnswers): readonly Entry[] {
  if (mode === null) return [];
  const measured: MeasuredPowers = {
    outputW: numberIn(power[POWER.outputTotal]),
    pvW: pvPower(power),
    batteryA: tenth(general[GENERAL.batteryCurrent]),
    batteryV: tenth(general[GENERAL.batteryVoltage]),
    grid: gridStateOf(mode, numberIn(general[GENERAL.gridVoltage])),
    feeds: power[POWER.lineDirection] === OUTPUT,
  };
  const total = numberIn(power[POWER.gridTotal]);
  // Single-phase models leave the grid's fields empty.
  if (total === null) return balancedPowers(measured);
  const gridW = gridPower(total, power, measured);
  return powerEntries(measured, { batteryW: batteryPower(measured), gridW });
}

/** The second input is empty on models that have one. */
function pvPower(power: AnswerFields): number | null {
  const first = numberIn(power[POWER.firstPv]);
  return power[POWER.secondPv] === '' ? first : sum(first, numberIn(power[POWER.secondPv]));
}

/**
 * Power from the grid. Some firmware sends the first phase without its sign, and a total without meaning from 10 kW on.
 * The total counts when it is the sum of the phases with either sign of the first; else that sum counts which is nearer to
 * what load, battery and PV leave.
 */
function gridPower(total: number, power: AnswerFields, measured: MeasuredPowers): number | null {
  const [first = null, second = null, third = null] = POWER.grid.map((at) => numberIn(power[at]));
  const others = sum(second, third);
  if (first === null || others === null) return total;
  const sums = [others + Math.abs(first), others - Math.abs(first)];
  if (sums.some((each) => Math.abs(each - total) <= ROUNDING_W)) return total;
  const usedW = usedPower(measured);
  if (usedW === null || measured.pvW === null) return null;
  const leftW = usedW - measured.pvW;
  const [nearest = null] = sums.toSorted((one, other) => Math.abs(one - leftW) - Math.abs(other - leftW));
  return nearest;
}

function gridStateOf(mode: string | undefined, gridTenthV: number | null): GridState | undefined {
  if (mode === undefined) return undefined;
  if (mode === ON_BATTERY || gridTenthV === 0) return 'no grid';
  return ON_GRID.test(mode) ? 'grid' : 'unknown';
}

function tenth(text: string | undefined): number | null {
  const value = numberIn(text);
  return value === null ? null : value / 10;
}
