import { afterEach, expect, it, vi } from 'vitest';
import { formatFor } from './use-format.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['America/Los_Angeles', 'en-GB', '20 Jun 2026'],
  ['UTC', 'en-IE', '21 Jun 2026'],
  ['Pacific/Kiritimati', 'en-AU', '21 June 2026'],
])(
  'a date stays that date for a reader in %s, while a moment has the date of the reader',
  (zone, locale, momentThere) => {
    vi.stubEnv('TZ', zone);
    const format = formatFor(locale);
    expect(format.date('2026-06-21')).toMatch(/^21 Jun/);
    expect(format.date('2026-06-21T03:00:00Z')).toBe(momentThere);
  },
);
