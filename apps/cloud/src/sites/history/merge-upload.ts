import { hoursOfDay } from '@heliograph/kit/local-hours';
import { startOfDay } from '@heliograph/kit/local-time';
import { type Column, type DayValues, mergeDays } from './day-codec.ts';
import type { HistoryDay } from './store.ts';

const QUARTER_MS = 15 * 60_000;

/** A date as it is stored. */
export interface StoredDay extends HistoryDay {
  /** The parts of former zones' days that lie before the day of the present zone, in the order of the moves. */
  readonly rests: readonly PartOfDay[];
}

/** Values of a date by the clock of a zone. */
export type PartOfDay = Omit<HistoryDay, 'day'>;

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
    if (before === undefined) return { ...day, rests: [] };
    const rests = partsBefore(before.day, before.rests, beginning);
    if (before.zone === day.zone) return { ...day, values: mergeDays(before.values, day.values), rests };
    return { ...day, rests: [...rests, ...partsBefore(before.day, [before], beginning)] };
  });
  const shortened = stored.flatMap((before): StoredDay[] => {
    const { day, rests } = before;
    const isCut = (part: PartOfDay): boolean => part.zone !== zone && overlaps(day, part, beginning);
    if (sentDays.has(day) || ![...rests, before].some(isCut)) return [];
    const [part] = before.zone === zone ? [before] : partsBefore(day, [before], beginning);
    return [
      {
        day,
        zone: part?.zone ?? zone,
        values: part?.values ?? { means: {}, energy: {} },
        rests: partsBefore(day, rests, beginning),
      },
    ];
  });
  return [...merged, ...shortened];
}

/** Whether anything is known of a date. */
export function holdsValues({ means, energy }: DayValues): boolean {
  return firstKnown(means) !== undefined || firstKnown(energy) !== undefined;
}

/** When the last value of a day begins, in milliseconds since the epoch; -Infinity where nothing is known. */
export function startOfLastValue({ day, zone, values: { means, energy } }: HistoryDay): number {
  const [quarter, hour] = [lastKnown(means), lastKnown(energy)];
  return Math.max(
    quarter === undefined ? -Infinity : startOfDay(day, zone) + quarter * QUARTER_MS,
    hour === undefined ? -Infinity : (hoursOfDay(day, zone)[hour] ?? -Infinity),
  );
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

/** The last place with a value; undefined without one. */
function lastKnown(columns: Columns): number | undefined {
  const last = Math.max(
    -1,
    ...Object.values(columns).map((column = []) => column.findLastIndex((value) => value !== null)),
  );
  return last === -1 ? undefined : last;
}

function overlaps(day: number, { zone, values }: PartOfDay, beginning: Beginning): boolean {
  const { quarters, hours } = countBefore(day, zone, beginning);
  return lengthOf(values.means) > quarters || lengthOf(values.energy) > hours;
}

/** Without those of which nothing is before it. */
function partsBefore(day: number, parts: readonly PartOfDay[], beginning: Beginning): readonly PartOfDay[] {
  return parts
    .map(({ zone, values }): PartOfDay => {
      const { quarters, hours } = countBefore(day, zone, beginning);
      return { zone, values: { means: cut(values.means, quarters), energy: cut(values.energy, hours) } };
    })
    .filter(({ values }) => holdsValues(values));
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
