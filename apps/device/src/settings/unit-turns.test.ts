import { expect, it } from 'vitest';
import { UnitTurns } from './unit-turns.ts';

const UNIT = 'inverters 1';
const SLOW = { unit: UNIT, topic: 'inverter_1/work_mode' };
const QUICK = { unit: UNIT, topic: 'inverter_1/max_charge_current' };
const NEW = { unit: UNIT, topic: 'inverter_1/reserve_capacity' };
const SLOW_MS = 7_000;
const QUICK_MS = 100;

/** A queue of writes that all come into force. @returns the time that each is to need, in milliseconds */
async function write(
  turns: UnitTurns,
  settings: readonly (readonly [setting: typeof SLOW, ms: number])[],
): Promise<readonly number[]> {
  const needed: number[] = [];
  const queue = settings.map(([setting, ms]) =>
    turns.run(setting, async (neededMs) => {
      needed.push(neededMs);
      turns.took(setting, ms, { isInForce: true });
    }),
  );
  await Promise.all(queue);
  return needed;
}

it('a setting that is quick needs no time of a slow one that was written before, and one of its own need', async () => {
  const turns = new UnitTurns();
  await write(turns, [[QUICK, QUICK_MS]]);
  await write(turns, [[SLOW, SLOW_MS]]);
  const needed = await write(turns, [
    [QUICK, QUICK_MS],
    [QUICK, QUICK_MS],
    [SLOW, SLOW_MS],
  ]);
  expect(needed).toEqual([0, 1.25 * QUICK_MS, 1.25 * SLOW_MS]);
});

it('a slow write counts for all that wait behind it, and for settings that were not written yet', async () => {
  const turns = new UnitTurns();
  await write(turns, [[QUICK, QUICK_MS]]);
  const behindIt = await write(turns, [
    [SLOW, SLOW_MS],
    [QUICK, QUICK_MS],
  ]);
  expect(behindIt).toEqual([0, 1.25 * SLOW_MS]);
  const later = await write(turns, [
    [QUICK, QUICK_MS],
    [NEW, QUICK_MS],
  ]);
  expect(later).toEqual([0, 1.25 * SLOW_MS]);
});

it('a slow write counts for the next five of its setting', async () => {
  const turns = new UnitTurns();
  await write(turns, [[SLOW, SLOW_MS]]);
  for (let times = 0; times < 4; times++) await write(turns, [[SLOW, QUICK_MS]]);
  const fifth = await write(turns, [
    [QUICK, QUICK_MS],
    [SLOW, QUICK_MS],
  ]);
  const sixth = await write(turns, [
    [QUICK, QUICK_MS],
    [SLOW, QUICK_MS],
  ]);
  expect([fifth, sixth]).toEqual([
    [0, 1.25 * SLOW_MS],
    [0, 1.25 * QUICK_MS],
  ]);
});
