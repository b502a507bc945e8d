import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type LocalDay, localDay, startOfDay } from '../common/local-time.ts';
import { inTransaction } from '../storage/database.ts';
import { ANY_VALUE, storedJson } from '../storage/stored-json.ts';
import { CounterSets } from './counters/counter-sets.ts';
import { addEnergy, type EnergyAmount, HALF_WMS_PER_WH, kiloWattHours, NO_ENERGY } from './energy-amount.ts';
import type { LocalHour } from './hours/hour.ts';
import { COUNTER_NAMES, COUNTERS, type HourAmounts } from './hours/hour-ledger.ts';
import { HourStore, hourFromText, hourText } from './hours/hour-store.ts';
import { type Energy, type EnergyState, energyOf } from './ledger.ts';
import { ENERGY_PERIODS, type EnergyPeriod, isTimeZone } from './period.ts';
import { type CountedDays, splitPeriod } from './split-period.ts';

/** A stored text makes no sense: a card that wears out changes bits, which SQLite does not notice in a text. */
class DamagedEnergy extends Error {
  override readonly name = 'DamagedEnergy';
}

/** Receives what is damaged and was removed. @param day undefined: not a day, but which day was counted last */
export type DamageListener = (day: LocalDay | undefined, reason: string) => void;

/** Days that are kept: two months, and those of clocks that were wrong. */
const MAX_DAYS = 70;

/** Days that are made of their hours where they are missing: those of the longest period. */
const REBUILT_DAYS = 40;

/** The energy of hours: the current one, and others that are not stored as they are. */
export interface UnsavedHours {
  readonly current: { readonly startMs: LocalHour };
  readonly hours: ReadonlyMap<LocalHour, HourAmounts>;
}

/**
 * Keeps the energy state: a row for each day with the current hour, of which a poll changes one, in one commit that is on the disk when
 * `save` returns. With the database's page of 1 KiB a commit writes 1,048 bytes to the write-ahead log: 45 MB a day at a
 * poll every two seconds, where pages of SQLite's usual 4 KiB would make it 178 MB.
 */
export class EnergyStore {
  readonly #db: DatabaseSync;
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;
  readonly #selectDays: StatementSync;
  readonly #upsertDay: StatementSync;
  readonly #removeDay: StatementSync;
  readonly #removeOldest: StatementSync;
  readonly #sets: CounterSets;
  readonly hours: HourStore;
  #saved: EnergyState | undefined;
  /** The current hour as it is stored beside its day. */
  #running: string | null | undefined;
  #period: EnergyPeriod | undefined;
  #unknownDays: ReadonlySet<LocalDay> | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sets = new CounterSets(db);
    this.hours = new HourStore(db);
    this.#select = db.prepare('SELECT state FROM energy');
    this.#upsert = db.prepare(
      'INSERT INTO energy (id, state) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
    );
    this.#selectDays = db.prepare('SELECT day, amounts, hour FROM energy_days ORDER BY day');
    this.#upsertDay = db.prepare('INSERT OR REPLACE INTO energy_days (day, amounts, hour) VALUES (?, ?, ?)');
    this.#removeDay = db.prepare('DELETE FROM energy_days WHERE day = ?');
    this.#removeOldest = db.prepare(
      `DELETE FROM energy_days WHERE day <= (SELECT day FROM energy_days ORDER BY day DESC LIMIT 1 OFFSET ${MAX_DAYS})`,
    );
  }

  /** The period that the counters had last; undefined where that is unknown. */
  get period(): EnergyPeriod | undefined {
    return this.#period;
  }

  /** Recent days that were not stored, and are made of their hours; undefined where nothing was stored. */
  get unknownDays(): ReadonlySet<LocalDay> | undefined {
    return this.#unknownDays;
  }

  /**
   * Days that are whole stay where others are damaged; those are made of the hours that are known.
   *
   * @param zone of a state that does not have it, or was damaged
   */
  load(zone: string, onDamage: DamageListener): EnergyState | undefined {
    const text = this.#select.get()?.state;
    const head = typeof text === 'string' ? this.#loadHead(text, zone, onDamage) : undefined;
    if (head?.days !== undefined) {
      this.#unknownDays = new Set();
      return { zone: head.zone, day: head.day, days: head.days };
    }
    const stored = this.#loadDays(onDamage);
    const newest = [...stored.keys()].at(-1) ?? this.#lastDay(zone);
    const day = head?.day ?? newest;
    if (day === undefined) return undefined;
    this.#saved = head && { ...head, days: stored };
    const known = { zone, day, ...head };
    return { ...known, days: this.#withMissingDays(stored, known) };
  }

  /** The day of the last hour that is known. */
  #lastDay(zone: string): LocalDay | undefined {
    const last = this.hours.last();
    return last === undefined ? undefined : localDay(last, zone);
  }

  #withMissingDays(
    stored: ReadonlyMap<LocalDay, Energy>,
    { zone, day }: Pick<EnergyState, 'zone' | 'day'>,
  ): ReadonlyMap<LocalDay, Energy> {
    const unknown = new Set(recentDays(day).filter((each) => !stored.has(each)));
    this.#unknownDays = unknown;
    if (unknown.size === 0) return stored;
    const hours = this.hours.between(startOfDay(day - REBUILT_DAYS + 1, zone), startOfDay(day + 1, zone));
    return withHours(stored, hours, zone, unknown);
  }

  /**
   * Divides the one sum that a version before 0.2 stored among the days that are known of its period.
   *
   * @param zone of a state that does not have it
   * @throws what `countedDays` throws
   */
  async splitPeriod(zone: string, countedDays: CountedDays): Promise<void> {
    const state = this.#onePeriod(zone);
    if (state !== undefined) this.save(await splitPeriod(state, countedDays));
  }

  /** Undefined of a later version, and of damaged text. */
  #onePeriod(zone: string): EnergyState | undefined {
    try {
      const stored = parsed(String(this.#select.get()?.state));
      if (!isOfOnePeriod(stored)) return undefined;
      this.#period = ENERGY_PERIODS.find((period) => period === Object(stored).period);
      return fromOnePeriod(stored, zone);
    } catch (error) {
      if (error instanceof DamagedEnergy) return undefined;
      throw error;
    }
  }

  #loadHead(text: string, zone: string, onDamage: DamageListener): Head | undefined {
    try {
      const stored = parsed(text);
      this.#period = ENERGY_PERIODS.find((period) => period === Object(stored).period);
      return isOfOnePeriod(stored) ? fromOnePeriod(stored, zone) : headFrom(stored);
    } catch (error) {
      if (!(error instanceof DamagedEnergy)) throw error;
      this.#db.exec('DELETE FROM energy');
      onDamage(undefined, error.message);
      return undefined;
    }
  }

  #loadDays(onDamage: DamageListener): Map<LocalDay, Energy> {
    const days = new Map<LocalDay, Energy>();
    for (const { day, amounts } of this.#selectDays.all()) {
      try {
        days.set(Number(day), energyFrom(parsed(String(amounts))));
      } catch (error) {
        if (!(error instanceof DamagedEnergy)) throw error;
        this.#removeDay.run(Number(day));
        onDamage(Number(day), error.message);
      }
    }
    return days;
  }

  /** The hours that only their days have: the last one that was counted for each. */
  unsavedHours(day: LocalDay): ReadonlyMap<LocalHour, HourAmounts> {
    const unsaved = new Map<LocalHour, HourAmounts>();
    for (const { day: each, hour: text } of this.#selectDays.all()) {
      const found = typeof text === 'string' ? hourFromText(text) : undefined;
      if (found === undefined) continue;
      const [hour, amounts] = found;
      if (each === day || this.hours.hour(hour) === undefined) unsaved.set(hour, amounts);
    }
    return unsaved;
  }

  /** Writes what differs from what is stored. */
  save(state: EnergyState, { current, hours }: UnsavedHours = NO_HOURS): void {
    const { zone, day, days } = state;
    const saved = this.#saved;
    const amounts = hours.get(current.startMs);
    const running = amounts === undefined ? null : hourText(current.startMs, amounts);
    inTransaction(this.#db, () => {
      // Days from before a return to an earlier version.
      if (saved === undefined) this.#db.exec('DELETE FROM energy_days');
      for (const [each, energy] of days) {
        if (saved?.days.get(each) !== energy || (each === day && running !== this.#running))
          this.#upsertDay.run(each, JSON.stringify(energy), each === day ? running : null);
      }
      for (const [hour, amounts] of hours)
        if (hour !== current.startMs || !days.has(day)) this.hours.save(hour, amounts);
      if (saved?.zone === zone && saved.day === day) return;
      this.#saveHead(state);
      for (const each of saved?.days.keys() ?? []) if (!days.has(each)) this.#removeDay.run(each);
      this.#removeOldest.run();
    });
    this.#saved = state;
    this.#running = running;
  }

  /**
   * The counters have another period from now on: stores that, and by how much each is set.
   *
   * @param atMs milliseconds since the epoch
   */
  changePeriod(state: EnergyState, period: EnergyPeriod, atMs: number): void {
    const before = this.#period;
    this.#period = period;
    try {
      inTransaction(this.#db, () => {
        this.#saveHead(state);
        if (before !== undefined) this.#addSets(energyOf(state, before), energyOf(state, period), atMs);
      });
    } catch (error) {
      this.#period = before;
      throw error;
    }
  }

  #addSets(from: Energy, to: Energy, atMs: number): void {
    for (const counter of new Set([...Object.keys(from), ...Object.keys(to)])) {
      const [fromKwh, toKwh] = [from, to].map((energy) => kiloWattHours(energy[counter] ?? NO_ENERGY));
      if (fromKwh !== toKwh) this.#sets.add(counter, atMs, fromKwh ?? 0, toKwh ?? 0);
    }
  }

  #saveHead({ zone, day }: EnergyState): void {
    this.#upsert.run(JSON.stringify({ zone, day, period: this.#period }));
  }
}

/** The days that are made of their hours where they are missing. @param day the last one */
export function recentDays(day: LocalDay): LocalDay[] {
  return Array.from({ length: REBUILT_DAYS }, (_, i) => day - i);
}

/** Adds hours to days. @param only other days stay as they are */
export function withHours(
  days: ReadonlyMap<LocalDay, Energy>,
  hours: ReadonlyMap<LocalHour, HourAmounts>,
  zone: string,
  only: ReadonlySet<LocalDay>,
): ReadonlyMap<LocalDay, Energy> {
  const sums = new Map(days);
  for (const [hour, amounts] of hours) {
    const day = localDay(hour, zone);
    if (!only.has(day)) continue;
    const energy = { ...sums.get(day) };
    for (const counter of COUNTERS) {
      const name = COUNTER_NAMES[counter];
      const amount = amounts[counter];
      if (amount !== undefined) energy[name] = addEnergy(energy[name] ?? NO_ENERGY, amount);
    }
    sums.set(day, energy);
  }
  // Days are stored in the order of time.
  return new Map([...sums].toSorted(([a], [b]) => a - b));
}

const NO_HOURS: UnsavedHours = { current: { startMs: 0 }, hours: new Map() };

/** The stored state; days only of a version that stored them with it. */
type Head = Pick<EnergyState, 'zone' | 'day'> & Partial<Pick<EnergyState, 'days'>>;

/** As versions before 0.2 stored it: one sum for the period. */
interface OnePeriod {
  readonly zone?: string;
  readonly startedAt: number;
  readonly amounts: unknown;
}

function isOfOnePeriod(stored: unknown): stored is OnePeriod {
  return Number.isSafeInteger(Object(stored).startedAt);
}

/** The sum becomes that of the period's first day, so that it stays the period's. */
function fromOnePeriod({ zone, startedAt, amounts }: OnePeriod, zoneWithout: string): EnergyState {
  const known = zoneFrom(zone ?? zoneWithout);
  const day = localDay(startedAt, known);
  return { zone: known, day, days: new Map([[day, energyFrom(amounts)]]) };
}

function headFrom(stored: unknown): Pick<EnergyState, 'zone' | 'day'> {
  const { zone, day } = Object(stored) as Partial<EnergyState>;
  if (day === undefined || !Number.isSafeInteger(day)) throw new DamagedEnergy('it makes no sense');
  return { zone: zoneFrom(zone), day };
}

function zoneFrom(zone: unknown): string {
  if (typeof zone !== 'string' || !isTimeZone(zone)) throw new DamagedEnergy('it makes no sense');
  return zone;
}

function energyFrom(amounts: unknown): Energy {
  if (!isObject(amounts) || !Object.values(amounts).every(isAmount))
    throw new DamagedEnergy('it makes no sense');
  return amounts as Energy;
}

function parsed(text: string): unknown {
  const value = storedJson(text, ANY_VALUE);
  if (value === undefined) throw new DamagedEnergy('it cannot be read');
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAmount(amount: unknown): boolean {
  const { wattHours, rest } = Object(amount) as Partial<EnergyAmount>;
  return isWhole(wattHours) && isWhole(rest) && rest < HALF_WMS_PER_WH;
}

function isWhole(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
