import { systemClock } from '@heliograph/kit';
import { afterEach, expect, it } from 'vitest';
import { serialTestLine } from '../../../test/bus/places.ts';
import { inverter, open, realAnswers } from '../../../test/drivers/pi17/plugged-in.ts';
import { FAST_LINE, read } from '../../../test/drivers/voltronic/plugged-in.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openByteBus } from '../../bus/open-bus.ts';

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

it('a PI17 inverter is read and written over a serial port, and recovers after its cable was unplugged', async () => {
  const queries = { ...realAnswers(), HECS: '00,0,0,0,0,0,0,0,0' };
  const commands = {
    EDB1: () => {
      queries.HECS = '00,0,1,0,0,0,0,0,0';
    },
  };
  const place = await serialTestLine(inverter({ queries, commands }), 'serial');
  running.push(() => place.stop());
  const bus = openByteBus(place.address, FAST_LINE, systemClock);
  running.push(() => bus.close());
  const hardware = await open({ bus });
  expect(await hardware.write(0, 'Grid charge', 'Enabled')).toBe('Enabled');
  expect(await read(hardware)).toMatchObject({ 'Grid power': -7152, 'Grid charge': 'Enabled' });
  await place.unplug();
  await expect(hardware.poll()).rejects.toThrow(LinkDown);
  await place.replug();
  await expect.poll(async () => hardware.poll().catch(() => [])).toHaveLength(1);
});
