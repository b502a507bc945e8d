import { alarmText, BATTERY } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import {
  ABSENT,
  BASE_STATE,
  CHARGE_STATES,
  COLUMNS,
  MODULE,
  NEEDED,
  NORMAL_STATE,
  NOTHING,
  STATE_OF_CHARGE,
  STATES,
  TIME,
} from './console-columns.ts';

/** A module that is there, by its number in the row, from 1. */
export interface ConsoleModule {
  readonly number: number;
  readonly entries: readonly Entry[];
}

type Row = ReadonlyMap<string, string>;

/**
 * The answer to `pwr`: a line of headings, then a line for each module that there can be.
 *
 * @throws BadFrame when a line is not as it must be: with no checksum, one wrong character spoils the whole answer
 */
export function parsePwr(lines: readonly string[]): readonly ConsoleModule[] {
  const [first = '', ...rest] = lines;
  const headings = first.trim().split(/\s+/);
  const missing = NEEDED.find((heading) => !headings.includes(heading));
  if (missing !== undefined) throw new BadFrame(`the table has no column ${missing}`);
  const rows = rest.map((line) => rowOf(line, headings));
  rows.forEach((row, index) => {
    if (row.get(MODULE) !== String(index + 1)) throw new BadFrame(`line ${index + 1} is of another module`);
  });
  return rows
    .map((row, index) => ({ row, number: index + 1 }))
    .filter(({ row }) => row.get(BASE_STATE) !== ABSENT)
    .map(({ row, number }) => ({ number, entries: entriesOf(row) }));
}

/** Values follow the order of the headings; they do not always stand below them. */
function rowOf(line: string, headings: readonly string[]): Row {
  const cells = line.trim().split(/\s+/);
  const timeAt = headings.indexOf(TIME);
  if (timeAt >= 0 && cells[timeAt] !== NOTHING)
    cells.splice(timeAt, 2, timeOf(cells.slice(timeAt, timeAt + 2)));
  const row = new Map(headings.map((heading, index) => [heading, cells[index] ?? NOTHING]));
  const absent = row.get(BASE_STATE) === ABSENT;
  if (absent ? !isEmpty(row) : cells.length !== headings.length) {
    throw new BadFrame(`module ${cells[0]} has ${cells.length} values in ${headings.length} columns`);
  }
  return row;
}

function timeOf(cells: readonly string[]): string {
  const time = cells.join(' ');
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time)) throw new BadFrame(`"${time}" is no time`);
  return time;
}

/** The lines of modules that are absent are shorter, and hold nothing. */
function isEmpty(row: Row): boolean {
  return [...row].every(([heading, value]) => [MODULE, BASE_STATE].includes(heading) || value === NOTHING);
}

function entriesOf(row: Row): readonly Entry[] {
  const measured = COLUMNS.filter(({ heading }) => row.has(heading)).map(
    ({ heading, quantity, per }): Entry => [quantity, numberIn(row, heading, per)],
  );
  const measuredAs = (wanted: Entry[0]): number | null => {
    const value = measured.find(([quantity]) => quantity === wanted)?.[1];
    return typeof value === 'number' ? value : null;
  };
  const power = product(measuredAs(BATTERY.voltage), measuredAs(BATTERY.current));
  const [lowest, highest] = [measuredAs(BATTERY.cellLowest), measuredAs(BATTERY.cellHighest)];
  checkCells(measuredAs(BATTERY.voltage), lowest, highest);
  checkTemperatures(measuredAs(BATTERY.cellTemperatureLowest), measuredAs(BATTERY.cellTemperatureHighest));
  const imbalance: readonly Entry[] =
    lowest === null || highest === null ? [] : [[BATTERY.cellImbalance, highest - lowest]];
  return [
    [BATTERY.stateOfCharge, stateOfCharge(row)],
    ...measured,
    [BATTERY.power, power],
    ...imbalance,
    [BATTERY.chargeState, chargeState(row)],
    [BATTERY.alarms, alarms(row)],
  ];
}

function numberIn(row: Row, heading: string, per: number): number | null {
  const text = row.get(heading) ?? NOTHING;
  if (text === NOTHING) return null;
  if (!/^(0|-?[1-9]\d{0,6})$/.test(text)) throw new BadFrame(`"${text}" is no number for ${heading}`);
  return Number(text) / per;
}

function product(volts: number | null, amps: number | null): number | null {
  return volts === null || amps === null ? null : volts * amps;
}

function stateOfCharge(row: Row): number | null {
  const text = row.get(STATE_OF_CHARGE) ?? NOTHING;
  if (text === NOTHING) return null;
  const percent = /^(\d{1,3})%$/.exec(text)?.[1];
  if (percent === undefined || Number(percent) > 100) throw new BadFrame(`"${text}" is no state of charge`);
  return Number(percent);
}

function chargeState(row: Row): string {
  const text = row.get(BASE_STATE) ?? '';
  if (!/^[A-Z][A-Za-z]*$/.test(text)) throw new BadFrame(`"${text}" is no state`);
  return CHARGE_STATES[text] ?? text;
}

function alarms(row: Row): string {
  const wrong = STATES.flatMap(({ heading, of }) => {
    const text = row.get(heading) ?? NOTHING;
    if (text === NORMAL_STATE || text === NOTHING) return [];
    if (!/^[A-Z][A-Za-z]*$/.test(text)) throw new BadFrame(`"${text}" is no state`);
    return [`${of} ${text}`];
  });
  return alarmText(wrong);
}

/** How far the module's voltage may be from what its cells add up to: they are measured one after the other. */
const CELL_TOLERANCE = 0.005;

function checkTemperatures(lowest: number | null, highest: number | null): void {
  if (lowest !== null && highest !== null && lowest > highest) {
    throw new BadFrame('the lowest temperature is above the highest');
  }
}

/**
 * The best check that the text allows: the module's voltage is that of a whole number of cells between the lowest
 * and the highest.
 */
function checkCells(volts: number | null, lowest: number | null, highest: number | null): void {
  if (volts === null || lowest === null || highest === null) return;
  if (lowest > highest) throw new BadFrame('the lowest cell is above the highest');
  const cells = Math.round((2 * volts) / (lowest + highest));
  const fits =
    volts >= cells * lowest * (1 - CELL_TOLERANCE) && volts <= cells * highest * (1 + CELL_TOLERANCE);
  if (!fits) throw new BadFrame('the voltages of module and cells do not fit together');
}
