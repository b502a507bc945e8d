import { describe, expect, it } from 'vitest';
import { moved, searchOf, selectionIn, selectionOf, spanOf, todayIn, within } from './energy-selection.ts';

const TODAY = '2026-11-26';

describe('the time of the energy page', () => {
  it.each([
    ['', 'day', '2026-11-26'],
    ['day=2026-11-22', 'day', '2026-11-22'],
    ['week=2026-11-22', 'week', '2026-11-16'],
    ['month=2026-02', 'month', '2026-02-01'],
    ['year=2025', 'year', '2025-01-01'],
    ['month=2026-02-14', 'month', '2026-02-01'],
    ['day=2027-01-01', 'day', '2026-11-26'],
    ['day=2026-02-30', 'day', '2026-11-26'],
    ['day=1815-12-10', 'day', '2026-11-26'],
    ['month=x', 'day', '2026-11-26'],
  ])('the address "%s" shows the %s of %s', (search, unit, date) => {
    expect(selectionIn(search, TODAY)).toEqual({ unit, date });
  });

  it.each([
    [{ unit: 'day', date: '2026-03-01' }, '2026-02-28', '2026-03-02'],
    [{ unit: 'week', date: '2026-12-28' }, '2026-12-21', '2027-01-04'],
    [{ unit: 'month', date: '2026-01-01' }, '2025-12-01', '2026-02-01'],
    [{ unit: 'year', date: '2024-01-01' }, '2023-01-01', '2025-01-01'],
  ] as const)('the time before %o begins on %s, and the time after it on %s', (selection, before, after) => {
    expect(moved(selection, -1).date).toBe(before);
    expect(moved(selection, 1).date).toBe(after);
    expect(spanOf(selection)).toEqual({ from: selection.date, to: after });
    expect(selectionIn(searchOf(selection), '2030-01-01')).toEqual(selection);
  });

  it('a month of a year and a day of a month are opened from their bars', () => {
    expect(within(selectionOf('year', TODAY), '2026-03-01T00:00:00+01:00')).toEqual({
      unit: 'month',
      date: '2026-03-01',
    });
    expect(within(selectionOf('month', TODAY), '2026-11-03T00:00:00+01:00')).toEqual({
      unit: 'day',
      date: '2026-11-03',
    });
    expect(within(selectionOf('day', TODAY), '2026-11-26T10:00:00+01:00')).toBeUndefined();
  });

  it('today is the date of the site, and not that of the reader', () => {
    const atMs = Date.parse('2026-11-25T23:30:00Z');
    expect(todayIn('Europe/Berlin', atMs)).toBe('2026-11-26');
    expect(todayIn('America/New_York', atMs)).toBe('2026-11-25');
  });
});
