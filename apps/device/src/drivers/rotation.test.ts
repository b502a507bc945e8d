import { ManualClock } from '@heliograph/kit';
import { quantities } from '@heliograph/metrics';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LinkDown } from '../bus/failures.ts';
import { Rotation } from './rotation.ts';

const NAME = quantities.info('Model name');
const SERIAL = quantities.info('Serial number');
const FIRMWARE = quantities.info('Firmware version');

it('a rotation makes one read in each turn, and drops the entries of a failed one', async () => {
  let made = 0;
  let failing = false;
  const read = (quantity: typeof NAME) => ({
    unit: 0,
    read: async () => {
      made += 1;
      if (failing) throw new LinkDown('unplugged');
      return [[quantity, `read ${made}`]] as const;
    },
  });
  const rotation = await Rotation.begin([read(NAME), read(SERIAL)], new ManualClock(0));
  const values = () => rotation.entriesOf(0).map(([, value]) => value);
  expect(values()).toEqual(['read 1', 'read 2']);
  await rotation.turn();
  expect(values()).toEqual(['read 3', 'read 2']);
  failing = true;
  await rotation.turn();
  expect(values()).toEqual(['read 3']);
  expect(rotation.readAt(0, SERIAL.name)).toBeUndefined();
  failing = false;
  await rotation.turn();
  await rotation.turn();
  expect(values()).toEqual(['read 5', 'read 6']);
  expect(rotation.entriesOf(1)).toEqual([]);
});

it('a read that fails at the beginning is never repeated', async () => {
  let reads = 0;
  const silent = {
    unit: 0,
    read: async () => {
      reads += 1;
      throw new LinkDown('no answer');
    },
  };
  const rotation = await Rotation.begin([silent], new ManualClock(0));
  await rotation.turn();
  expect(reads).toBe(1);
});

it('a rotation reports the time of each answer, which is at most one round old', async () => {
  const turn = fc.record({ tookMs: fc.nat(2_000), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 30 }), async (turns) => {
      const clock = new ManualClock(0);
      let now = { tookMs: 7, fails: false };
      const reads = [
        { unit: 0, quantity: NAME },
        { unit: 1, quantity: NAME },
        { unit: 0, quantity: SERIAL },
        { unit: 1, quantity: FIRMWARE },
      ].map(({ unit, quantity }) => ({
        unit,
        quantity,
        read: async () => {
          clock.advance(now.tookMs);
          if (now.fails) throw new LinkDown('no answer');
          return [[quantity, clock.monotonic()]] as const;
        },
      }));
      const rotation = await Rotation.begin(reads, clock);
      const begun: number[] = [];
      for (const each of turns) {
        now = each;
        begun.push(clock.monotonic());
        await rotation.turn();
        const roundBegan = begun.at(-reads.length) ?? 0;
        for (const unit of [0, 1]) {
          for (const [{ name }, value] of rotation.entriesOf(unit)) {
            expect(rotation.readAt(unit, name)).toBeCloseTo(Number(value), 1);
            expect(value).toBeGreaterThanOrEqual(roundBegan);
          }
        }
      }
    }),
    { numRuns: 50 },
  );
});
