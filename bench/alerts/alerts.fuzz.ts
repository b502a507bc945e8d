import { expect, it } from 'vitest';
import { HOMES, runHome } from './home.ts';

// A year of more homes is in `npm run bench alerts`.
it('each fault that is planted in a home within two weeks is reported once, and what is no fault is not', async () => {
  const madrid = HOMES.find(({ driver }) => driver === 'deye');
  if (madrid === undefined) throw new Error('There is no such home');
  const counts = await runHome(madrid, {
    fromMs: Date.UTC(2026, 3, 1),
    days: 14,
    pollMs: 4 * 60_000,
    rounds: 1,
  });
  expect(
    counts.filter(({ missed, repeated, false: alarms }) => missed.length + repeated + alarms.length > 0),
  ).toEqual([]);
  expect(counts.length).toBeGreaterThan(10);
});
