import { ManualClock, testMoment } from '@heliograph/kit';
import { quantities } from '@heliograph/metrics';
import { expect, it } from 'vitest';
import { FakeHardware } from '../../test/poll/fake-hardware.ts';
import { runningUntilTheEnd } from '../../test/running.ts';
import { SteppedDevice } from '../../test/stepped-device.ts';
import { WriteUnanswered } from '../bus/failures.ts';
import { KeptByHardware, RejectedByHardware } from '../drivers/driver.ts';

const TOPIC = 'inverter_1/max_charge_current';
const DAY_MS = 24 * 60 * 60_000;
const NOON = testMoment('2026-06-21T12:00:00Z');

const running = runningUntilTheEnd();

async function start() {
  const clock = new ManualClock(NOON);
  const inverter = new FakeHardware({
    kind: 'inverters',
    model: 'Hybrid',
    quantities: [
      quantities.info('Serial number'),
      quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 }),
    ],
    values: { 'Serial number': 'A1', 'Max charge current': 10 },
  });
  const device = new SteppedDevice(
    {
      open: async () => inverter,
      clock,
      intervalMs: 10_000,
      timeZone: 'Europe/Berlin',
      passed: { release: NOON, last_reading: NOON },
      freeStorageMb: () => 5_000,
      history: () => 'Recording',
    },
    () => undefined,
  );
  await device.start();
  running.push(device);
  const alerts = () =>
    device.alerts
      .open()
      .filter(({ rule }) => rule === 'write_failed')
      .map(({ detail }) => detail);
  return { device, inverter, clock, alerts };
}

it.each([
  ['was not answered', 'ends', 'was exchanged', new WriteUnanswered('silent'), 'unknown'],
  ['was kept', 'ends', 'was exchanged', new KeptByHardware('kept'), 'rejected'],
  ['was refused', 'stays', 'was exchanged', new RejectedByHardware('refused'), 'rejected'],
  ['was not answered', 'ends', 'was not read for a day', new WriteUnanswered('silent'), 'unknown'],
  ['was kept', 'ends', 'was not read for a day', new KeptByHardware('kept'), 'rejected'],
  ['was refused', 'stays', 'was not read for a day', new RejectedByHardware('refused'), 'rejected'],
])('an alert about a write that %s %s once its unit %s', async (_how, then, end, failure, outcome) => {
  const { device, inverter, clock, alerts } = await start();
  inverter.duringWrite = () => Promise.reject(failure);
  const author = { name: 'local', via: 'lan' } as const;
  await expect(device.settings.set(TOPIC, '25', author)).rejects.toThrow(TOPIC);
  await device.step();
  expect(alerts()).toEqual([outcome]);
  if (end === 'was exchanged') Object.assign(inverter.units[0]?.values ?? {}, { 'Serial number': 'B2' });
  else clock.advance(DAY_MS);
  await device.step();
  await device.step();
  expect(alerts()).toEqual(then === 'stays' ? [outcome] : []);
  expect(device.writes.recent(1)).toMatchObject([{ outcome, isOpen: false, settledAt: null }]);
});
