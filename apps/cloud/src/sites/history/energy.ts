import { setImmediate } from 'node:timers/promises';
import { HISTORY_ENERGY_FIELDS } from '@heliograph/contracts';
import type { CountedAmounts, EnergySource } from '@heliograph/contracts/energy-answer';
import { hoursOfDay, type LocalHour } from '@heliograph/kit/local-hours';
import { startOfDay } from '@heliograph/kit/local-time';
import type { HistoryDay } from './store.ts';

/** Energy is kept to a tenth of a watt-hour: whole numbers add up exactly. */
const UNITS_PER_KWH = 10_000;

/**
 * The energy of days, for the answer that devices give, too.
 *
 * @param days in order; hours that begin together are counted once, as earlier releases stored those of two zones
 */
export function energySource(
  days: readonly HistoryDay[],
  zone: string,
  since: LocalHour | undefined,
  nowMs: number,
): EnergySource {
  const byStart = new Map(days.flatMap(hoursOf).map((hour) => [hour.startMs, hour]));
  const hours = [...byStart.values()].toSorted((a, b) => a.startMs - b.startMs);
  const indexOf = (atMs: number): number => {
    let [low, high] = [0, hours.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((hours[middle]?.startMs ?? 0) < atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    zone,
    nowMs,
    since,
    unitsPerKwh: UNITS_PER_KWH,
    sum: (fromMs, toMs) => {
      const sum: Partial<Record<keyof CountedAmounts, number>> = {};
      for (let i = indexOf(fromMs); i < hours.length; i++) {
        const hour = hours[i];
        if (hour === undefined || hour.startMs >= toMs) break;
        for (const [name, amount] of Object.entries(hour.amounts)) {
          const field = name as keyof CountedAmounts;
          sum[field] = (sum[field] ?? 0) + amount;
        }
      }
      return sum;
    },
    pause: () => setImmediate(),
  };
}

/** The first hour of a day that energy is known of. */
export function firstHourOf(day: HistoryDay): LocalHour {
  return hoursOf(day)[0]?.startMs ?? startOfDay(day.day, day.zone);
}

/** Only hours of which energy is known. */
function hoursOf({ day, zone, values }: HistoryDay): { startMs: LocalHour; amounts: CountedAmounts }[] {
  return hoursOfDay(day, zone)
    .map((startMs, i) => {
      const amounts: Partial<Record<keyof CountedAmounts, number>> = {};
      for (const field of HISTORY_ENERGY_FIELDS) {
        const value = values.energy[field]?.[i];
        if (value === null || value === undefined) continue;
        if (field === 'covered_s') amounts.covered_ms = value * 1000;
        else amounts[field] = Math.round(value * UNITS_PER_KWH);
      }
      return { startMs, amounts };
    })
    .filter(({ amounts }) => Object.keys(amounts).length > 0);
}
