import { LineFaults } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { afterEach, expect, it } from 'vitest';
import { serialTestLine, type TestLine } from '../../../test/bus/places.ts';
import { FAST_LINE, observed, open, read, simulated } from '../../../test/drivers/pi30/plugged-in.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { openByteBus } from '../../bus/open-bus.ts';

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** The simulated inverter behind a real pseudo-terminal. */
async function plugIn(onCommand: (command: string) => void = () => {}) {
  const faults = new LineFaults();
  const place: TestLine = await serialTestLine(faults.between(observed(simulated(), onCommand)), 'serial');
  const bus = openByteBus(place.address, FAST_LINE, systemClock);
  running.push(
    () => place.stop(),
    () => bus.close(),
  );
  return { faults, place, bus };
}

it('a PI30 inverter is read and written over a serial port', async () => {
  const { bus } = await plugIn();
  const hardware = await open({ bus });
  expect(await hardware.write(0, 'Output source priority', 'Utility first')).toBe('Utility first');
  expect(await read(hardware)).toMatchObject({
    'Device mode': 'Grid',
    'Output source priority': 'Utility first',
  });
});

it('a PI30 inverter recovers after its cable was unplugged', async () => {
  const { bus, place } = await plugIn();
  const hardware = await open({ bus });
  await place.unplug();
  await expect(hardware.poll()).rejects.toThrow(LinkDown);
  await expect(hardware.write(0, 'Buzzer', 'Disabled')).rejects.toThrow(LinkDown);
  await place.replug();
  await expect.poll(async () => hardware.poll().catch(() => [])).toHaveLength(1);
});

it('a late refusal is not taken for the answer to the next write', async () => {
  let onCommand = (_command: string): void => {};
  const { bus, faults } = await plugIn((command) => onCommand(command));
  const hardware = await open({ bus });
  onCommand = (command) => {
    if (command === 'F60') faults.behave('hold', 1);
  };
  await expect(hardware.write(0, 'Output frequency', '60 Hz')).rejects.toThrow(WriteUnanswered);
  expect(faults.held).toBe(1);
  onCommand = (command) => {
    if (command === 'QPIRI') faults.release();
  };
  expect(await hardware.write(0, 'Max charge current', 60)).toBe(60);
  expect(faults.held).toBe(0);
});
