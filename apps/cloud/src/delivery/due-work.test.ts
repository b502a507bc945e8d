import { ManualClock, silentLogger } from '@heliograph/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { DueWork, type Work } from './due-work.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

it('work that fails is tried again and holds up no other, and work that is not due is left', async () => {
  const runs = { failing: 0, steady: 0, later: 0 };
  const clock = new ManualClock(Date.parse('2026-06-21T10:00:00Z'));
  const noon = new Date('2026-06-21T12:00:00Z');
  const works: Work[] = [
    {
      name: 'failing',
      isDue: () => sql`true`,
      run: async () => {
        runs.failing++;
        throw new Error('broken');
      },
    },
    { name: 'steady', isDue: () => sql`true`, run: async () => void runs.steady++ },
    {
      name: 'later',
      isDue: (now) => sql`${now}::timestamptz >= ${noon}`,
      run: async () => void runs.later++,
    },
  ];
  const due = new DueWork({ db: cloud.db, clock, logger: silentLogger, works });
  await due.start();
  await expect.poll(() => Math.min(runs.failing, runs.steady), { timeout: 30_000 }).toBeGreaterThan(1);
  expect(runs.later).toBe(0);
  clock.jump(noon.getTime());
  await expect.poll(() => runs.later, { timeout: 30_000 }).toBeGreaterThan(0);
  await due.stop();
});
