import { describe, expect, it } from 'vitest';
import { cursorTimeFormat, spanLabel, timeTickFormat, valueTickLabels } from './axis-labels.ts';

const NOON_S = Date.UTC(2026, 5, 21, 10, 0) / 1000;

describe('labels of the time axis', () => {
  it.each([
    [7_200, 'de', 'Europe/Berlin', '12:00'],
    [7_200, 'en', 'America/New_York', '6:00 AM'],
    [86_400, 'en', 'Europe/Berlin', 'Jun 21'],
    [30 * 86_400, 'de', 'Europe/Berlin', 'Juni 26'],
  ])('ticks %i s apart, in %s and %s, have labels of their scale', (apartS, locale, timeZone, label) => {
    expect(timeTickFormat(apartS, locale, timeZone)(NOON_S)).toBe(label);
  });

  it.each([
    [86_400, '12:00'],
    [7 * 86_400, 'So., 21. Juni, 12:00'],
    [365 * 86_400, '21.06.2026'],
  ])('the cursor shows the time at the scale of %i s', (spanS, label) => {
    expect(cursorTimeFormat(spanS, 'de', 'Europe/Berlin')(NOON_S)).toBe(label);
  });
});

it.each([
  [NOON_S - 43_200, NOON_S + 43_200, 'UTC', '20.–21.06.2026'],
  [NOON_S - 12 * 3_600, NOON_S + 12 * 3_600, 'Europe/Berlin', '21.06.2026'],
])('spanLabel from %i to %i in %s shows whole days', (from, to, timeZone, label) => {
  expect(spanLabel(from, to, 'de', timeZone)).toBe(label);
});

describe('labels of the value axis', () => {
  it.each([
    [[0, 200, 400], 'W', { unit: 'W', labels: ['0', '200', '400'] }],
    [[-1_500, 0, 1_500, 3_000], 'W', { unit: 'kW', labels: ['-1,5', '0', '1,5', '3'] }],
    [[0, 2_000_000], 'W', { unit: 'MW', labels: ['0', '2'] }],
    [[0, 50, 100], '%', { unit: '%', labels: ['0', '50', '100'] }],
    [[2_000], 'V', { unit: 'V', labels: ['2.000'] }],
    [[], 'W', { unit: 'W', labels: [] }],
  ])('the values %j in %s have labels in one unit', (values, unit, labels) => {
    expect(valueTickLabels(values, unit, 'de')).toEqual(labels);
  });
});
