import { LineFaults } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { afterEach, expect, it } from 'vitest';
import { serialTestLine } from '../../../test/bus/places.ts';
import { inverter, open, ratings, realAnswers } from '../../../test/drivers/pi18/plugged-in.ts';
import { commandInCaret } from '../../../test/drivers/voltronic/caret-inverter.ts';
import { FAST_LINE, observedLine, read } from '../../../test/drivers/voltronic/plugged-in.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openByteBus } from '../../bus/open-bus.ts';

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** An inverter behind a real pseudo-terminal. */
async function plugIn(onCommand: (command: string) => void = () => {}) {
  const queries = realAnswers();
  const commands = {
    POP0: () => {
      queries.PIRI = ratings({ output: 0 });
    },
    'MCHGC0,080': () => {
      queries.PIRI = ratings({ output: 0, maxCharge: 80 });
    },
  };
  const faults = new LineFaults();
  const device = observedLine(
    inverter({ queries, commands }),
    commandInCaret({ sendsCheckBytes: true }),
    onCommand,
  );
  const place = await serialTestLine(faults.between(device), 'serial');
  const bus = openByteBus(place.address, FAST_LINE, systemClock);
  running.push(
    () => place.stop(),
    () => bus.close(),
  );
  return { faults, place, bus };
}

it('a PI18 inverter is read and written over a serial port', async () => {
  const { bus } = await plugIn();
  const hardware = await open({ bus });
  expect(await hardware.write(0, 'Output source priority', 'SUB')).toBe('SUB');
  expect(await read(hardware)).toMatchObject({ 'Load power': 435, 'Output source priority': 'SUB' });
});

it('a PI18 inverter recovers after its cable was unplugged', async () => {
  const { bus, place } = await plugIn();
  const hardware = await open({ bus });
  await place.unplug();
  await expect(hardware.poll()).rejects.toThrow(LinkDown);
  await expect(hardware.write(0, 'Output source priority', 'SUB')).rejects.toThrow(LinkDown);
  await place.replug();
  await expect.poll(async () => hardware.poll().catch(() => [])).toHaveLength(1);
});

it('a late acknowledgement of PI18 is not taken for the answer to the next write', async () => {
  let hold = (): void => {};
  const { bus, faults } = await plugIn((command) => {
    if (command === 'POP0') hold();
  });
  const hardware = await open({ bus });
  hold = () => faults.behave('hold', 1);
  expect(await hardware.write(0, 'Output source priority', 'SUB'), 'the read-back confirms it').toBe('SUB');
  expect(faults.held).toBe(1);
  const next = hardware.write(0, 'Max charge current', 80);
  faults.release();
  expect(await next).toBe(80);
});
