import { hoursOfDay } from '@heliograph/kit/local-hours';
import { startOfDay } from '@heliograph/kit/local-time';
import { type Column, type DayValues, mergeDays } from './day-codec.ts';
import type { HistoryDay } from './store.ts';

const QUARTER_MS = 15 * 60_000;

/** A date as it is stored. */
export interface StoredDay extends HistoryDay {
  /** The part of the former zone's day that lies before the day of the present zone. */
  readonly rest?: Omit<HistoryDay, 'day'> | undefined;
}

/** From when on an upload has values, in milliseconds since the epoch. */
interface Beginning {
  readonly quarterMs: number;
  readonly hourMs: number;
}

/**
 * Adds an upload to the dates that are stored around it. What another zone's days have from the beginning of the upload on
 * is in the upload, too, and is dropped there: no time is in two days. What they have before it stays.
 *
 * @returns the dates that differ from what is stored
 */
export function mergeUpload(stored: readonly StoredDay[], sent: readonly HistoryDay[]): readonly StoredDay[] {
  const beginning = beginningOf(sent);
  const sentDays = new Map(sent.map((day) => [day.day, day]));
  const zone = sent.at(-1)?.zone ?? '';
  const storedDays = new Map(stored.map((day) => [day.day, day]));
  const merged = sent.map((day): StoredDay => {
    const before = storedDays.get(day.day);
    if (before === undefined) return day;
    const rest = partBefore(before.day, before.rest, beginning);
    if (before.zone === day.zone) return { ...day, values: mergeDays(before.values, day.values), rest };
    return { ...day, rest: partBefore(before.day, before, beginning) ?? rest };
  });
  const shortened = stored.flatMap((before): StoredDay[] => {
    const { day, rest } = before;
    if (sentDays.has(day) || before.zone === zone || !overlaps(before, beginning)) return [];
    const part = partBefore(day, before, beginning);
    return [
      {
        day,
        rest: partBefore(day, rest, beginning),
        ...(part ?? { zone, values: { means: {}, energy: {} } }),
      },
    ];
  });
  return [...merged, ...shortened];
}

function beginningOf(sent: readonly HistoryDay[]): Beginning {
  const [quarters, hours] = [[Infinity], [Infinity]];
  for (const { day, zone, values } of sent) {
    const [quarter, hour] = [firstKnown(values.means), firstKnown(values.energy)];
    if (quarter !== undefined) quarters.push(startOfDay(day, zone) + quarter * QUARTER_MS);
    const hourMs = hour === undefined ? undefined : hoursOfDay(day, zone)[hour];
    if (hourMs !== undefined) hours.push(hourMs);
  }
  return { quarterMs: Math.min(...quarters), hourMs: Math.min(...hours) };
}

type Columns = Readonly<Partial<Record<string, Column>>>;

/** The first place with a value; undefined without one. */
function firstKnown(columns: Columns): number | undefined {
  const places = Object.values(columns).map((column = []) => column.findIndex((value) => value !== null));
  const known = places.filter((place) => place !== -1);
  return known.length === 0 ? undefined : Math.min(...known);
}

function overlaps({ day, zone, values }: HistoryDay, beginning: Beginning): boolean {
  const { quarters, hours } = countBefore(day, zone, beginning);
  return lengthOf(values.means) > quarters || lengthOf(values.energy) > hours;
}

/** Undefined where nothing is before it. */
function partBefore(
  day: number,
  whole: Omit<HistoryDay, 'day'> | undefined,
  beginning: Beginning,
): Omit<HistoryDay, 'day'> | undefined {
  if (whole === undefined) return undefined;
  const { zone, values } = whole;
  const { quarters, hours } = countBefore(day, zone, beginning);
  const part: DayValues = { means: cut(values.means, quarters), energy: cut(values.energy, hours) };
  if (firstKnown(part.means) === undefined && firstKnown(part.energy) === undefined) return undefined;
  return { zone, values: part };
}

/** The quarters and hours of a day that begin before it. */
function countBefore(day: number, zone: string, { quarterMs, hourMs }: Beginning) {
  const quarters = Math.max(0, Math.ceil((quarterMs - startOfDay(day, zone)) / QUARTER_MS));
  return { quarters, hours: hoursOfDay(day, zone).filter((hour) => hour < hourMs).length };
}

function lengthOf(columns: Columns): number {
  return Math.max(0, ...Object.values(columns).map((column = []) => column.length));
}

function cut<Name extends string>(
  columns: Readonly<Partial<Record<Name, Column>>>,
  count: number,
): Partial<Record<Name, Column>> {
  const kept: Partial<Record<Name, Column>> = {};
  for (const name of Object.keys(columns) as Name[]) kept[name] = columns[name]?.slice(0, count) ?? [];
  return kept;
}
