import type { Tariff, TariffBand } from '@heliograph/contracts';
import { dateOf, firstDay, nextDay } from '@heliograph/kit/calendar-days';
import { DAY_MS, type LocalDay, localTime, startOfDay } from '../../common/local-time.ts';

const HOUR_MS = 60 * 60 * 1000;

/** A local day with the tariff that applies in it. */
export interface TariffDay {
  readonly day: LocalDay;
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  readonly month: LocalDay;
  readonly tariff: Tariff;
  /** Place of the tariff in the list. */
  readonly index: number;
  /** The fixed charges of the whole day, in the currency of the tariff. */
  readonly fixedCharges: number;
  readonly isHoliday: boolean;
}

/** The prices of local days; each day is worked out once. */
export class TariffDays {
  readonly #tariffs: readonly {
    readonly firstDay: LocalDay;
    readonly tariff: Tariff;
    readonly holidays: Set<string>;
  }[];
  readonly #zone: string;
  readonly #days = new Map<LocalDay, TariffDay | undefined>();

  /** @param tariffs in the order of their first days */
  constructor(tariffs: readonly Tariff[], zone: string) {
    this.#tariffs = tariffs.map((tariff) => ({
      firstDay: dateOf(tariff.valid_from) ?? Infinity,
      tariff,
      holidays: new Set(tariff.holidays),
    }));
    this.#zone = zone;
  }

  /** Undefined before the first tariff. */
  on(day: LocalDay): TariffDay | undefined {
    if (!this.#days.has(day)) this.#days.set(day, this.#find(day));
    return this.#days.get(day);
  }

  /** The hour of the clock, from 0, that a moment of a day lies in. */
  hourOf({ startMs, endMs }: TariffDay, atMs: number): number {
    // A clock that is set back just after midnight shows the day before again.
    const isPlain =
      atMs < endMs && endMs - startMs === DAY_MS && localTime(startMs, this.#zone) % DAY_MS === 0;
    const sinceMidnightMs = isPlain ? atMs - startMs : localTime(atMs, this.#zone) % DAY_MS;
    return Math.floor(sinceMidnightMs / HOUR_MS);
  }

  #find(day: LocalDay): TariffDay | undefined {
    const index = this.#tariffs.findLastIndex((each) => each.firstDay <= day);
    const found = this.#tariffs[index];
    if (found === undefined) return undefined;
    const { tariff, holidays } = found;
    const date = new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
    return {
      day,
      startMs: startOfDay(day, this.#zone),
      endMs: startOfDay(day + 1, this.#zone),
      month: firstDay(day, 'month'),
      tariff,
      index,
      fixedCharges: tariff.fixed_charges.reduce(
        (sum, { amount, per }) => sum + amount / (nextDay(day, per) - firstDay(day, per)),
        0,
      ),
      isHoliday: holidays.has(date),
    };
  }
}

/** The band that applies in an hour of a day: the first one whose conditions are met. */
export function bandAt(bands: readonly TariffBand[], day: TariffDay, hour: number): number {
  const date = new Date(day.day * DAY_MS);
  const month = date.getUTCMonth() + 1;
  const weekday = ((date.getUTCDay() + 6) % 7) + 1;
  return bands.findIndex(({ months, weekdays, holidays, from_hour: from = 0, to_hour: to = 24 }) => {
    if (months !== undefined && !months.includes(month)) return false;
    if (weekdays !== undefined && !(day.isHoliday ? holidays === true : weekdays.includes(weekday)))
      return false;
    return from < to ? hour >= from && hour < to : hour >= from || hour < to;
  });
}
