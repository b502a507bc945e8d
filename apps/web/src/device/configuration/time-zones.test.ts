import { describe, expect, it } from 'vitest';
import { proposedZone, timeIn, timeZones } from './time-zones.ts';

describe('time zones', () => {
  it('the list has the zones of the browser, UTC and the chosen one', () => {
    expect(timeZones(null)).toEqual(expect.arrayContaining(['Europe/Berlin', 'UTC']));
    expect(timeZones('Europe/Elsewhere')).toContain('Europe/Elsewhere');
    expect(new Set(timeZones('UTC')).size).toBe(timeZones('UTC').length);
  });

  it('timeIn formats the local time of a zone', () => {
    const noon = new Date('2026-06-21T10:00:00Z');
    expect(timeIn('Europe/Berlin', noon, 'en-GB')).toContain('12:00');
    expect(timeIn('Europe/Elsewhere', noon, 'en-GB')).toBeNull();
  });

  it("a device whose machine is elsewhere is proposed the browser's zone", () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(proposedZone('Antarctica/Troll')).toBe(timeZone);
    expect(proposedZone(timeZone)).toBeNull();
  });
});
