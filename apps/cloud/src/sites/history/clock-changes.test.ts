import type { DeviceHistoryDay } from '@heliograph/contracts';
import { formatDate } from '@heliograph/kit/calendar-days';
import { hourAfter, hoursOfDay } from '@heliograph/kit/local-hours';
import { DAY_MS, localDay, startOfDay } from '@heliograph/kit/local-time';
import { zonesWithChanges } from '@heliograph/kit/testing/clock-changes';
import { expect, it } from 'vitest';
import { energySource } from './energy.ts';
import { daysOf } from './upload.ts';

const HOUR_MS = 60 * 60_000;

/** A day of one kW, as a device sends it. */
function dayOf(day: number, zone: string): DeviceHistoryDay {
  const lengths = hoursOfDay(day, zone).map((hour) => (hourAfter(hour, zone) - hour) / HOUR_MS);
  return {
    date: formatDate(day),
    time_zone: zone,
    first_quarter: 0,
    means: {},
    first_hour: 0,
    energy: { pv: lengths, covered_s: lengths.map((length) => length * 3600) },
  };
}

it.each(zonesWithChanges().filter(({ changes }) => changes.length > 0))(
  'each hour of a day on which the clock changes in $zone has the energy that the device sent for it',
  ({ zone, changes }) => {
    for (const change of changes) {
      const day = localDay(change - 1_000, zone);
      const [fromMs, toMs, nowMs] = [startOfDay(day, zone), startOfDay(day + 1, zone), change + 3 * DAY_MS];
      const sent = dayOf(day, zone);
      const { sum } = energySource(daysOf({ days: [sent], newest: null }, nowMs), zone, undefined, nowMs);
      for (const hour of hoursOfDay(day, zone)) {
        const lengthMs = hourAfter(hour, zone) - hour;
        const { pv = 0, covered_ms } = sum(hour, hour + lengthMs);
        expect(pv / 10_000).toBeCloseTo(lengthMs / HOUR_MS, 3);
        expect(covered_ms).toBeCloseTo(lengthMs, 6);
      }
      expect(sum(fromMs, toMs).covered_ms).toBeCloseTo(toMs - fromMs, 6);
      const tooLong = { ...sent, energy: { pv: [...(sent.energy.pv ?? []), 1] } };
      expect(() => daysOf({ days: [tooLong], newest: null }, nowMs)).toThrow('has not so many values');
    }
  },
);

it('hours that the days of two time zones have are counted once', () => {
  const day = localDay(Date.parse('2026-06-01T12:00:00Z'), 'UTC');
  const nowMs = (day + 3) * DAY_MS;
  const days = [dayOf(day, 'America/New_York'), dayOf(day + 1, 'Europe/Berlin')];
  const { sum } = energySource(daysOf({ days, newest: null }, nowMs), 'Europe/Berlin', undefined, nowMs);
  expect(sum(0, nowMs).pv).toBe((24 + 24 - 6) * 10_000);
});
