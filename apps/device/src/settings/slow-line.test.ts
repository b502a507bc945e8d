import { duplexPair } from 'node:stream';
import type { DeviceLinks } from '@heliograph/contracts';
import { type Attach, rtuUnits, serveLine } from '@heliograph/dev/serial';
import { expect, it } from 'vitest';
import { runningUntilTheEnd } from '../../test/running.ts';
import { startWholeDevice } from '../../test/whole-device.ts';

const ANSWER_MS = 500;
const TEST_MS = 60_000;
const LIMIT = 'inverter_1/active_power_limit';
const LIMIT_REGISTER = 40;

const running = runningUntilTheEnd();

/** A line on which each answer is so late. */
function slow(device: Attach): Attach {
  return (line) => {
    const [near, far] = duplexPair();
    const detach = device(far);
    const forward = (request: Buffer): void => void near.write(request);
    line.on('data', forward);
    near.on('data', (answer: Buffer) => setTimeout(() => line.write(answer), ANSWER_MS));
    return () => {
      line.off('data', forward);
      detach();
      near.destroy();
    };
  };
}

it('a slow unit has writes at the same time confirmed in turn, or not sent', {
  timeout: TEST_MS,
}, async () => {
  const registers = new Map([
    [0, 4],
    [3, 13_104],
    [18, 513],
    [LIMIT_REGISTER, 100],
    [59, 2],
  ]);
  const written: number[] = [];
  const unit = rtuUnits({
    readRange: (_unitId, address, count) =>
      Array.from({ length: count }, (_, index) => registers.get(address + index) ?? 0),
    write: (_unitId, address, [content = 0]) => {
      written.push(content);
      registers.set(address, content);
    },
  });
  const served = await serveLine(slow(unit));
  running.push(served);
  const device = await startWholeDevice(`poll_interval_s: 60
mdns: false
connections:
  - { driver: deye-micro, bus: "modbus-rtu-tcp://127.0.0.1:${served.port}" }
`);
  running.push(device);
  const links = () => device.answer<DeviceLinks>('/api/v1/links');
  await expect
    .poll(async () => (await links()).connections[0]?.state, { timeout: TEST_MS / 2 })
    .toBe('connected');

  const values = [95, 90, 85, 80, 75, 70];
  const answers = await Promise.all(
    values.map(async (value) => {
      const answer = await device.browser.send('POST', '/api/v1/metrics', {
        topic: LIMIT,
        value: String(value),
      });
      return { value, status: answer.status, ...((await answer.json()) as { outcome?: string }) };
    }),
  );
  const confirmed = answers.filter(({ status }) => status === 200).map(({ value }) => value);
  const outcomes = answers.filter(({ status }) => status !== 200).map(({ outcome }) => outcome);
  expect(confirmed.length).toBeGreaterThan(0);
  expect(new Set(outcomes)).toEqual(new Set(['not sent']));
  expect(written.toSorted()).toEqual(confirmed.toSorted());
  const log = await device.answer<readonly { outcome: string }[]>('/api/v1/settings/log');
  expect(new Set(log.map(({ outcome }) => outcome))).toEqual(new Set(['ok', 'not sent']));
});
