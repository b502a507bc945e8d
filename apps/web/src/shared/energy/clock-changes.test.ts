import { dateOf, formatDate } from '@heliograph/kit/calendar-days';
import { offsetsOf, zonesWithChanges } from '@heliograph/kit/testing/clock-changes';
import { expect, it } from 'vitest';
import { cursorTimeFormat } from '../components/curve/axis-labels.ts';
import { timeSplits } from '../components/curve/time-splits.ts';
import { curveRows } from './curves-csv.ts';
import { spanOfDate } from './ranges.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

it.each(zonesWithChanges().filter(({ changes }) => changes.length > 0))(
  'days of curves around each change of the clock in $zone follow on each other, and so do the times of their CSV',
  ({ zone, changes }) => {
    const offsetAt = offsetsOf(zone);
    const dateAt = (atMs: number): number => Math.floor((atMs + offsetAt(atMs)) / DAY_MS);
    for (const change of changes) {
      const day = dateAt(change - 1_000);
      const spans = [day - 1, day, day + 1].map((each) => spanOfDate(formatDate(each), zone));
      for (const [i, { from, to, stepS }] of spans.entries()) {
        expect(spans[i + 1]?.from ?? to).toBe(to);
        // A date that a zone left out has no length.
        if (from === to) continue;
        expect([dateAt(from * 1000), dateAt(from * 1000 - 1_000) < day - 1 + i]).toEqual([day - 1 + i, true]);
        const times = Array.from({ length: (to - from) / stepS }, (_, step) => from + step * stepS);
        const series = [{ key: 'a', name: 'a', unit: 'W', tone: 'solar' as const, times, values: times }];
        const [, ...rows] = curveRows(series, 'Time', zone);
        expect(rows.map(([time]) => Date.parse(String(time)) / 1000)).toEqual(times);
        expect(new Set(rows.map(([time]) => time)).size).toBe(times.length);
      }
    }
  },
);

it.each(zonesWithChanges().filter(({ changes }) => changes.length > 0))(
  'the ticks of curves around each change of the clock in $zone are at round times of each of its days',
  ({ zone, changes }) => {
    const offsetAt = offsetsOf(zone);
    for (const change of changes) {
      const day = Math.floor((change - 1_000 + offsetAt(change - 1_000)) / DAY_MS);
      const spans = [day - 1, day, day + 1].map((each) => spanOfDate(formatDate(each), zone));
      const [from = 0, to = 0] = [spans[0]?.from, spans[2]?.to];
      const midnights = [...new Set([...spans.map((span) => span.from), to])];
      for (const apartS of [2, 3, 6, 12].map((hours) => hours * 3_600)) {
        const ticks = timeSplits(from, to, apartS, zone);
        expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b));
        expect(ticks).toEqual(expect.arrayContaining(midnights));
        const others = ticks.filter((tick) => !midnights.includes(tick));
        expect(others.filter((tick) => (tick + offsetAt(tick * 1000) / 1000) % apartS !== 0)).toEqual([]);
      }
      expect(timeSplits(from, to, 86_400, zone)).toEqual(midnights);
    }
  },
);

it.each(['Europe/Berlin', 'Australia/Sydney', 'America/Santiago', 'Australia/Lord_Howe'])(
  'each day of a year in %s has its own name below the curve, also after the clock was set back',
  (zone) => {
    for (const date of ['2026-01-15', '2026-07-15']) {
      const { from } = spanOfDate(date, zone);
      const format = cursorTimeFormat(365 * 86_400, 'sv', zone);
      const labels = Array.from({ length: 365 }, (_, step) => format(from + step * 86_400));
      const expected = Array.from({ length: 365 }, (_, step) => (dateOf(date) ?? 0) + step).map((day) =>
        new Intl.DateTimeFormat('sv', { dateStyle: 'medium', timeZone: 'UTC' }).format(day * DAY_MS),
      );
      expect(labels).toEqual(expected);
    }
  },
);

it('ticks that are months or years apart are at their beginnings', () => {
  const { from } = spanOfDate('2026-02-10', 'America/Santiago');
  const dates = (apartDays: number): readonly string[] =>
    timeSplits(from, from + 400 * 86_400, apartDays * 86_400, 'America/Santiago').map((tick) =>
      new Date(tick * 1000 + offsetsOf('America/Santiago')(tick * 1000)).toISOString().slice(0, 16),
    );
  expect(dates(90)).toEqual(['2026-05-01T00:00', '2026-08-01T00:00', '2026-11-01T00:00', '2027-02-01T00:00']);
  expect(dates(365)).toEqual(['2027-01-01T00:00']);
});
