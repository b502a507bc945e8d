import { type Quantity, quantities } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import {
  balancedPowers,
  difference,
  type GridState,
  type MeasuredPowers,
  product,
  sum,
  usedPower,
} from '../voltronic/powers.ts';
import { GENERAL, SECOND_PV_POWER } from './map/general.ts';
import { PARALLEL } from './map/parallel.ts';

export const FIRST_PV_POWER: Quantity = quantities.power('PV power 1');

/** Device modes in which the load is connected to the grid. */
const ON_GRID = /^[LY]$/;
const ON_BATTERY = 'B';

export interface OwnAnswers {
  readonly general: AnswerFields;
  /** The second MPPT; undefined when there is none, null when it could not be read this time. */
  readonly second: AnswerFields | null | undefined;
  /** Undefined when it was not requested, null when it could not be read this time. */
  readonly mode: string | null | undefined;
  readonly feeds: boolean;
}

/** Powers of the inverter that the cable goes to: all of one moment, or none, since they must add up. */
export function ownPowers({ general, second, mode, feeds }: OwnAnswers): readonly Entry[] {
  if (second === null || mode === null) return [];
  const field = (at: number): number | null => numberIn(general[at]);
  const first = field(GENERAL.pvPower) ?? product(field(GENERAL.pvCurrent), field(GENERAL.chargerVoltage));
  const secondW = second === undefined ? 0 : numberIn(second[SECOND_PV_POWER]);
  const values = balancedPowers({
    outputW: field(GENERAL.outputPower),
    pvW: sum(first, secondW),
    batteryA: difference(field(GENERAL.chargeCurrent), field(GENERAL.dischargeCurrent)),
    batteryV: field(GENERAL.batteryVoltage),
    grid: gridStateOf(mode, field(GENERAL.gridVoltage)),
    feeds,
  });
  return second === undefined ? values : [[FIRST_PV_POWER, first], ...values];
}

/**
 * Powers of an inverter that answers through another one. It does not report its PV power: that is 0 without PV
 * voltage, and follows from load and battery off the grid.
 */
export function parallelPowers(fields: AnswerFields): readonly Entry[] {
  const field = (at: number): number | null => numberIn(fields[at]);
  const measured: MeasuredPowers = {
    outputW: field(PARALLEL.outputPower),
    pvW: field(PARALLEL.pvVoltage) === 0 ? 0 : null,
    batteryA: difference(field(PARALLEL.chargeCurrent), field(PARALLEL.dischargeCurrent)),
    batteryV: field(PARALLEL.batteryVoltage),
    grid: gridStateOf(fields[PARALLEL.mode], field(PARALLEL.gridVoltage)),
    feeds: false,
  };
  const usedW = usedPower(measured);
  const isDerived = measured.pvW === null && measured.grid === 'no grid' && usedW !== null;
  return balancedPowers({ ...measured, pvW: isDerived ? Math.max(0, usedW) : measured.pvW });
}

function gridStateOf(mode: string | undefined, gridV: number | null): GridState | undefined {
  if (mode === undefined) return undefined;
  if (mode === ON_BATTERY || gridV === 0) return 'no grid';
  return ON_GRID.test(mode) ? 'grid' : 'unknown';
}
