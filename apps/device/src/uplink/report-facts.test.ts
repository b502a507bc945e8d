import { Writable } from 'node:stream';
import type { DeviceFacts } from '@heliograph/contracts';
import { wait } from '@heliograph/kit';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { FACTS, startTestUplink, type TestUplink, type TestUplinkOptions } from './testing/test-uplink.ts';

let system: TestUplink;
afterEach(() => system.stop());
const start = async (options: TestUplinkOptions): Promise<void> => {
  system = await startTestUplink({ password: null, ...options });
  system.uplink.start();
  await expect.poll(() => system.uplink.status.state, { interval: 5 }).toBe('online');
};

it('the ticket is renewed while the tunnel is up, and the next tunnel is opened with the new one', async () => {
  await start({ region: 'eu', times: { stableMs: 0, renew: { minMs: 20, maxMs: 30 } } });
  system.cloud.answer = { ...system.ready, tunnel_token: 'a newer token' };
  const { length } = system.cloud.connects;
  await expect.poll(() => system.cloud.connects.length).toBeGreaterThan(length + 1);
  expect(system.proxy.opened).toBe(1);
  system.proxy.cut();
  await expect.poll(() => system.proxy.dials.at(1)?.authorization).toBe('Bearer a newer token');
  expect(system.cloud.connects.at(-1)?.region).toBe('eu');
});

it('facts that the cloud refuses are reported ever more rarely, and logged once', async () => {
  const warnings: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      warnings.push(JSON.parse(String(chunk)).reason);
      done();
    },
  });
  let facts: DeviceFacts = FACTS;
  const pause = vi.fn(wait);
  await start({
    facts: () => facts,
    pause,
    logger: pino({ level: 'warn' }, sink),
    times: { factCheck: { minMs: 10, maxMs: 10_000 } },
  });
  system.cloud.answer = 422;
  facts = { ...FACTS, inverter_count: 2 };
  await expect.poll(() => system.cloud.connects.length).toBeGreaterThanOrEqual(7);
  // Waits between failed calls are half to the whole of 20 ms, 40 ms and so on; any other wait is below 100 ms.
  const waits = pause.mock.calls.map(([ms]) => ms);
  expect(Math.max(...waits)).toBeGreaterThanOrEqual(160);
  expect(warnings).toEqual(['the cloud answers 422: no']);
  expect(system.uplink.status.state).toBe('online');
});
