import { type LocalDay, startOfDay } from '../../common/local-time.ts';
import type { Amounts, Move } from '../counters/counted-since-start.ts';
import { FLOWS, type Power } from '../flows.ts';
import { type CountedEnergy, EARLIEST_BELIEVABLE_MS, isBelievable, type Moment } from '../ledger.ts';
import { dayAt } from '../period.ts';
import { type CountedFlows, TRANSFERS, transfersOf } from '../transfers.ts';
import { hourAt, hourBefore, type LocalHour } from './hour.ts';

/** The counters of the home, by their names in the API. */
export const COUNTERS = ['pv', 'load', 'battery_in', 'battery_out', 'grid_in', 'grid_out'] as const;
export type Counter = (typeof COUNTERS)[number];

/** The names of their quantities. */
export const COUNTER_NAMES = Object.fromEntries(
  FLOWS.map(({ quantity: { name } }, i) => [COUNTERS[i], name]),
) as Readonly<Record<Counter, string>>;

const COUNTER_OF = new Map<string, Counter>(
  FLOWS.map(({ quantity: { name } }, i) => [name, COUNTERS[i] as Counter]),
);

export const HOUR_FIELDS = ['covered_ms', ...COUNTERS, ...TRANSFERS] as const;
export type HourField = (typeof HOUR_FIELDS)[number];

/**
 * The energy of an hour in half watt-milliseconds, and for how many milliseconds of it. What was never counted is
 * absent: unknown, not 0.
 */
export type HourAmounts = Readonly<Partial<Record<HourField, number>>>;

/** The energy of local hours, beside that of days: the hours of a day add up to it. */
export interface HourLedger {
  /** The hour that energy is counted for. */
  readonly current: HourOfDay;
  /** The hour before the current one; undefined where none was seen to end. */
  readonly ended: HourOfDay | undefined;
  /** When the current hour began by the monotonic clock; -Infinity when that was before this process. */
  readonly beganMonotonicMs: number;
  /** Until when readings have covered the time, by the monotonic clock. */
  readonly coveredUntilMs: number;
  /** Counted, and not yet divided among transfers: a power of the home may be read later than the others. */
  readonly undivided: ReadonlyMap<LocalHour, CountedFlows>;
  /** Hours that are not stored as they are, and the current one. */
  readonly hours: ReadonlyMap<LocalHour, HourAmounts>;
  /** The amounts that the last readings added, by the hour. */
  readonly added: ReadonlyMap<LocalHour, Amounts>;
}

interface HourOfDay {
  readonly startMs: LocalHour;
  readonly day: LocalDay;
}

/** Reads an hour from the store; undefined where it has nothing of it. */
export type StoredHour = (hour: LocalHour) => HourAmounts | undefined;

export function openHourLedger(hours: HourLedger['hours'], now: Moment, zone: string): HourLedger {
  return {
    current: hourOfDay(now.wallMs, zone),
    ended: undefined,
    beganMonotonicMs: -Infinity,
    coveredUntilMs: -Infinity,
    undivided: new Map(),
    hours,
    added: new Map(),
  };
}

export interface HourRules {
  readonly zone: string;
  /** The powers of the home that are known. */
  readonly known: Iterable<Power>;
  readonly stored: StoredHour;
}

/** Counts for the hours what was counted for days. */
export function advanceHours(
  ledger: HourLedger,
  counted: readonly CountedEnergy[],
  now: Moment,
  { zone, known, stored }: HourRules,
): HourLedger {
  const entered = enterHour(ledger, now, zone, stored);
  if (counted.length === 0) return entered.added.size === 0 ? entered : { ...entered, added: new Map() };
  const undivided = new Map(entered.undivided);
  const added = new Map<LocalHour, Record<string, number>>();
  const add = (hour: LocalHour, field: HourField, amount: number): void => {
    const amounts = added.get(hour) ?? {};
    amounts[field] = (amounts[field] ?? 0) + amount;
    added.set(hour, amounts);
  };
  let { coveredUntilMs } = entered;
  for (const each of counted.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const counter = COUNTER_OF.get(each.name);
    if (counter === undefined) continue;
    for (const { hour, fromMs, toMs, halfWms } of byHour(each, entered, zone)) {
      add(hour, counter, halfWms);
      add(hour, 'covered_ms', Math.max(0, toMs - Math.max(fromMs, coveredUntilMs)));
      coveredUntilMs = Math.max(coveredUntilMs, toMs);
      const flows = undivided.get(hour);
      undivided.set(hour, { ...flows, [counter]: (flows?.[counter] ?? 0) + halfWms });
    }
  }
  const isDue = entered.current.startMs !== ledger.current.startMs || areAllIn(undivided, known);
  if (isDue) {
    for (const [hour, flows] of undivided)
      for (const [transfer, amount] of Object.entries(transfersOf(flows)))
        add(hour, transfer as HourField, amount);
    undivided.clear();
  }
  const hours = new Map(entered.hours);
  for (const [hour, amounts] of added)
    hours.set(hour, sumOfAmounts(hours.get(hour) ?? stored(hour), amounts));
  return { ...entered, coveredUntilMs, undivided, hours, added };
}

/** Moves the amounts of hours that a clock which was set shows to be others. */
export function withMoves(ledger: HourLedger, moves: readonly Move[], stored: StoredHour): HourLedger {
  const hours = new Map(ledger.hours);
  for (const { from, to, amounts } of moves) {
    hours.set(from, sumOfAmounts(hours.get(from) ?? stored(from), amounts, -1));
    hours.set(to, sumOfAmounts(hours.get(to) ?? stored(to), amounts));
  }
  return { ...ledger, hours };
}

export function sumOfAmounts(
  amounts: HourAmounts | undefined,
  others: Amounts | HourAmounts,
  sign: 1 | -1 = 1,
): HourAmounts {
  const sum: Record<string, number> = { ...amounts };
  for (const [field, amount] of Object.entries(others))
    sum[field] = Math.max(0, (sum[field] ?? 0) + sign * amount);
  return Object.values(sum).some((amount) => amount > 0) || sign > 0 ? sum : {};
}

function enterHour(ledger: HourLedger, now: Moment, zone: string, stored: StoredHour): HourLedger {
  if (!isBelievable(now.wallMs)) return ledger;
  const startMs = hourAt(now.wallMs, zone);
  if (startMs === ledger.current.startMs) return ledger;
  return {
    ...ledger,
    current: { startMs, day: dayAt(now.wallMs, zone).day },
    ended: ledger.current,
    beganMonotonicMs: now.monotonicMs - (now.wallMs - startMs),
    hours: withoutUnsetClock(ledger.hours, startMs, stored),
  };
}

/** Energy counted before the clock was ever set belongs to the hour in which it is. */
function withoutUnsetClock(
  hours: HourLedger['hours'],
  current: LocalHour,
  stored: StoredHour,
): HourLedger['hours'] {
  const unset = [...hours].filter(([hour]) => hour < EARLIEST_BELIEVABLE_MS);
  if (unset.length === 0) return hours;
  const others = new Map(hours);
  let sum = others.get(current) ?? stored(current);
  for (const [hour, amounts] of unset) {
    sum = sumOfAmounts(sum, amounts);
    others.set(hour, {});
  }
  return others.set(current, sum ?? {});
}

interface PartOfHour {
  readonly hour: LocalHour;
  readonly fromMs: number;
  readonly toMs: number;
  readonly halfWms: number;
}

/** The parts before and after the beginning of the current hour, each within the day that it was counted for. */
function byHour(counted: CountedEnergy, ledger: HourLedger, zone: string): readonly PartOfHour[] {
  const { day, fromMs, toMs, halfWms } = counted;
  const { current, ended, beganMonotonicMs } = ledger;
  const boundaryMs = Math.min(toMs, Math.max(fromMs, Math.round(beganMonotonicMs)));
  const after = Math.round((halfWms * (toMs - boundaryMs)) / (toMs - fromMs));
  const parts: PartOfHour[] = [];
  if (boundaryMs > fromMs) {
    const hour = withinDay(ended ?? current, day, zone);
    parts.push({ hour, fromMs, toMs: boundaryMs, halfWms: halfWms - after });
  }
  if (toMs > boundaryMs)
    parts.push({ hour: withinDay(current, day, zone), fromMs: boundaryMs, toMs, halfWms: after });
  return parts;
}

/** A clock that was set may show an hour of another day than energy is counted for: the nearest of that day then. */
function withinDay(hour: HourOfDay, day: LocalDay, zone: string): LocalHour {
  if (hour.day === day) return hour.startMs;
  return hour.day < day ? startOfDay(day, zone) : hourBefore(startOfDay(day + 1, zone), zone);
}

function areAllIn(undivided: ReadonlyMap<LocalHour, CountedFlows>, known: Iterable<Power>): boolean {
  const counters = new Set([...undivided.values()].flatMap((flows) => Object.keys(flows)));
  const powers = new Set(
    FLOWS.filter(({ quantity: { name } }) => counters.has(String(COUNTER_OF.get(name)))).map(
      ({ power }) => power,
    ),
  );
  return [...known].every((power) => powers.has(power));
}

function hourOfDay(wallMs: number, zone: string): HourOfDay {
  return { startMs: hourAt(wallMs, zone), day: dayAt(wallMs, zone).day };
}
