import { quantities } from '@heliograph/metrics';
import { expect, it } from 'vitest';
import { LinkDown } from '../bus/failures.ts';
import { Rotation } from './rotation.ts';

const NAME = quantities.info('Model name');
const SERIAL = quantities.info('Serial number');

it('makes one read in each turn, and forgets what failed', async () => {
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
  const rotation = await Rotation.begin([read(NAME), read(SERIAL)]);
  const told = () => rotation.entriesOf(0).map(([, value]) => value);
  expect(told()).toEqual(['read 1', 'read 2']);
  await rotation.turn();
  expect(told()).toEqual(['read 3', 'read 2']);
  failing = true;
  await rotation.turn();
  expect(told()).toEqual(['read 3']);
  failing = false;
  await rotation.turn();
  await rotation.turn();
  expect(told()).toEqual(['read 5', 'read 6']);
  expect(rotation.entriesOf(1)).toEqual([]);
});

it('leaves out from the beginning what does not answer', async () => {
  let asked = 0;
  const silent = {
    unit: 0,
    read: async () => {
      asked += 1;
      throw new LinkDown('no answer');
    },
  };
  const rotation = await Rotation.begin([silent]);
  await rotation.turn();
  expect(asked).toBe(1);
});
