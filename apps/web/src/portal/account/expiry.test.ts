import { describe, expect, it } from 'vitest';
import { expiryDate } from './expiry.ts';

const NOW = Date.parse('2026-06-01T10:00:00Z');

describe('when a token ends', () => {
  it('is never, unless something else is chosen', () => {
    expect(expiryDate('never', '2027-01-01', NOW)).toBeUndefined();
  });

  it('is after so many days', () => {
    expect(expiryDate('30', '', NOW)?.toISOString()).toBe('2026-07-01T10:00:00.000Z');
    expect(expiryDate('365', '', NOW)?.toISOString()).toBe('2027-06-01T10:00:00.000Z');
  });

  it('is when the chosen day is over, where its user is', () => {
    const end = expiryDate('date', '2026-06-03', NOW);
    expect(end?.getDate()).toBe(3);
    expect(end?.getHours()).toBe(23);
  });

  it('is unknown while no date is written', () => {
    expect(expiryDate('date', '', NOW)).toBeUndefined();
  });
});
