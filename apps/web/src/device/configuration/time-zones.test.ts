import { describe, expect, it } from 'vitest';
import { timeIn, timeZones } from './time-zones.ts';

describe('time zones', () => {
  it('are those that the browser knows, UTC, and the one that is chosen', () => {
    expect(timeZones(null)).toEqual(expect.arrayContaining(['Europe/Berlin', 'UTC']));
    expect(timeZones('Europe/Elsewhere')).toContain('Europe/Elsewhere');
    expect(new Set(timeZones('UTC')).size).toBe(timeZones('UTC').length);
  });

  it('tell what clocks show there', () => {
    const noon = new Date('2026-06-21T10:00:00Z');
    expect(timeIn('Europe/Berlin', noon, 'en-GB')).toContain('12:00');
    expect(timeIn('Europe/Elsewhere', noon, 'en-GB')).toBeNull();
  });
});
