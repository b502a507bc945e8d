import type { Entry } from '../entries.ts';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import { balancedPowers, difference, type GridState, sum } from '../voltronic/powers.ts';
import { GENERAL } from './queries.ts';

const ON_BATTERY = '03';
/** Bypass and hybrid mode. */
const ON_GRID = /^0[25]$/;

/** The line power direction while the inverter feeds the grid. */
const OUTPUT = '2';

/**
 * The powers of one poll: all of them, or none, since they must add up.
 *
 * @param mode undefined when it was not requested, null when it could not be read this time
 */
export function powersOf(general: AnswerFields, mode: string | null | undefined): readonly Entry[] {
  if (mode === null) return [];
  const field = (at: number): number | null => numberIn(general[at]);
  const tenth = (at: number): number | null => {
    const value = field(at);
    return value === null ? null : value / 10;
  };
  return balancedPowers({
    outputW: field(GENERAL.outputPower),
    pvW: sum(field(GENERAL.firstPvPower), field(GENERAL.secondPvPower)),
    batteryA: difference(field(GENERAL.chargeCurrent), field(GENERAL.dischargeCurrent)),
    batteryV: tenth(GENERAL.batteryVoltage),
    grid: gridStateOf(mode, field(GENERAL.gridVoltage)),
    feeds: general[GENERAL.lineDirection] === OUTPUT,
  });
}

function gridStateOf(mode: string | undefined, gridTenthV: number | null): GridState | undefined {
  if (mode === undefined) return undefined;
  if (mode === ON_BATTERY || gridTenthV === 0) return 'no grid';
  return ON_GRID.test(mode) ? 'grid' : 'unknown';
}
