import { describe, expect, it } from 'vitest';
import { expiryDate } from './expiry.ts';

const NOW = Date.parse('2026-06-01T10:00:00Z');

describe('expiryDate', () => {
  it('the choice never has no date, whatever the input of the date holds', () => {
    expect(expiryDate('never', '2027-01-01', NOW)).toBeUndefined();
  });

  it('a choice of days ends that many days from now', () => {
    expect(expiryDate('30', '', NOW)?.toISOString()).toBe('2026-07-01T10:00:00.000Z');
    expect(expiryDate('365', '', NOW)?.toISOString()).toBe('2027-06-01T10:00:00.000Z');
  });

  it('a chosen date ends with that day in the local time zone', () => {
    const end = expiryDate('date', '2026-06-03', NOW);
    expect(end?.getDate()).toBe(3);
    expect(end?.getHours()).toBe(23);
  });

  it('an empty date has no end', () => {
    expect(expiryDate('date', '', NOW)).toBeUndefined();
  });
});
