import { type Quantity, quantities } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { numberIn, type Pi30Fields } from './map/fields.ts';
import { GENERAL, SECOND_PV_POWER } from './map/general.ts';
import { PARALLEL } from './map/parallel.ts';

const PV_POWER = quantities.power('PV power');
const FIRST_PV_POWER = quantities.power('PV power 1');
const BATTERY_CURRENT = quantities.current('Battery current');
const BATTERY_POWER = quantities.power('Battery power');
const GRID_POWER = quantities.power('Grid power');
const LOAD_POWER = quantities.power('Load power');

export const POWER_QUANTITIES: readonly Quantity[] = [
  PV_POWER,
  FIRST_PV_POWER,
  BATTERY_CURRENT,
  BATTERY_POWER,
  GRID_POWER,
  LOAD_POWER,
];

/** The measured values of one inverter in W, A and V; null is unknown. */
interface MeasuredPowers {
  readonly outputW: number | null;
  readonly pvW: number | null;
  readonly batteryA: number | null;
  readonly batteryV: number | null;
  readonly gridV: number | null;
  /** The letter of the device mode; undefined when it was not read. */
  readonly mode: string | undefined;
  /** Whether it feeds PV into the grid. */
  readonly feeds: boolean;
}

/** Device modes in which the load is connected to the grid. */
const ON_GRID = /^[LY]$/;
const ON_BATTERY = 'B';

export interface OwnAnswers {
  readonly general: Pi30Fields;
  /** The second MPPT; undefined when there is none, null when it could not be read this time. */
  readonly second: Pi30Fields | null | undefined;
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
  const values = balanced({
    outputW: field(GENERAL.outputPower),
    pvW: sum(first, secondW),
    batteryA: difference(field(GENERAL.chargeCurrent), field(GENERAL.dischargeCurrent)),
    batteryV: field(GENERAL.batteryVoltage),
    gridV: field(GENERAL.gridVoltage),
    mode,
    feeds,
  });
  return second === undefined ? values : [[FIRST_PV_POWER, first], ...values];
}

/**
 * Powers of an inverter that answers through another one. It does not report its PV power: that is 0 without PV
 * voltage, and follows from load and battery off the grid.
 */
export function parallelPowers(fields: Pi30Fields): readonly Entry[] {
  const field = (at: number): number | null => numberIn(fields[at]);
  const measured: MeasuredPowers = {
    outputW: field(PARALLEL.outputPower),
    pvW: field(PARALLEL.pvVoltage) === 0 ? 0 : null,
    batteryA: difference(field(PARALLEL.chargeCurrent), field(PARALLEL.dischargeCurrent)),
    batteryV: field(PARALLEL.batteryVoltage),
    gridV: field(PARALLEL.gridVoltage),
    mode: fields[PARALLEL.mode],
    feeds: false,
  };
  const usedW = sum(measured.outputW, batteryW(measured));
  const pvW =
    measured.pvW === null && isOffGrid(measured) && usedW !== null ? Math.max(0, usedW) : measured.pvW;
  return balanced({ ...measured, pvW });
}

/**
 * Adds what follows from the balance `load = pv + grid - battery`.
 *
 * Grid power is not measured. On the grid it is what load and battery take beyond the PV power, never below zero
 * unless PV is fed into the grid; on battery it is 0; in other modes it is unknown. The load is then what the
 * balance leaves, which is the output and the inverter's own losses. Battery currents are whole amperes, so the
 * battery is never taken to charge with more than the PV power leaves.
 */
function balanced(measured: MeasuredPowers): readonly Entry[] {
  const { outputW, pvW, batteryA } = measured;
  const gridW = gridPower(measured);
  let battery = batteryW(measured);
  let load = outputW;
  if (typeof gridW === 'number' && pvW !== null && battery !== null && outputW !== null) {
    if (isOffGrid(measured)) battery = Math.min(battery, Math.round(pvW) - outputW);
    load = Math.round(pvW) + gridW - battery;
  }
  return [
    [PV_POWER, pvW],
    [BATTERY_CURRENT, batteryA],
    [BATTERY_POWER, battery],
    ...(gridW === undefined ? [] : [[GRID_POWER, gridW] as const]),
    [LOAD_POWER, load],
  ];
}

/** Undefined when the mode, on which it depends, was not read. */
function gridPower(measured: MeasuredPowers): number | null | undefined {
  const { outputW, pvW, mode, feeds } = measured;
  if (mode === undefined) return undefined;
  if (isOffGrid(measured)) return 0;
  const usedW = sum(outputW, batteryW(measured));
  if (!ON_GRID.test(mode) || usedW === null || pvW === null) return null;
  const gridW = usedW - Math.round(pvW);
  return feeds ? gridW : Math.max(0, gridW);
}

function isOffGrid({ mode, gridV }: MeasuredPowers): boolean {
  return mode === ON_BATTERY || (mode !== undefined && gridV === 0);
}

/** Into the battery, whole watts. */
function batteryW({ batteryA, batteryV }: MeasuredPowers): number | null {
  const watts = product(batteryA, batteryV);
  return watts === null ? null : Math.round(watts);
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

function product(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a * b;
}
