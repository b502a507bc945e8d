import { afterEach, describe, expect, it, vi } from 'vitest';
import { readersTimeZone, shownTimeZone } from './time-zone.ts';

/** A browser that names a zone of the reader. */
function browserNames(timeZone: string | undefined): void {
  const options = new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone: timeZone as string,
  });
}
afterEach(() => vi.restoreAllMocks());

describe('the time zone in which a site is shown', () => {
  it.each([
    ['Europe/Berlin', 'Asia/Kathmandu', 'Asia/Kathmandu'],
    // Of browsers that are older than the zone.
    ['Europe/Berlin', 'America/Coyhaique2', 'Europe/Berlin'],
    ['Europe/Berlin', undefined, 'Europe/Berlin'],
    ['Etc/Unknown', undefined, 'UTC'],
    ['Etc/Unknown', 'Not/A_Zone', 'UTC'],
    [undefined, undefined, 'UTC'],
  ])('the reader is in %s, and the site in %s: %s', (reader, site, shown) => {
    browserNames(reader);
    expect(shownTimeZone(site)).toBe(shown);
  });

  it('a browser that does not know its own zone has none', () => {
    browserNames('Etc/Unknown');
    expect(readersTimeZone()).toBeUndefined();
  });
});
