import { Writable } from 'node:stream';
import type { DeviceFacts } from '@heliograph/contracts';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import {
  FACTS,
  startTestUplink,
  type TestUplink,
  type TestUplinkOptions,
} from '../../../test/cloud/uplink/test-uplink.ts';
import { UPLINK_TIMES } from './uplink-times.ts';

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

it('facts that the cloud refuses are reported ever more rarely and logged once, until one report succeeds', async () => {
  const warnings: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      warnings.push(JSON.parse(String(chunk)).reason);
      done();
    },
  });
  let facts: DeviceFacts = FACTS;
  /** Each pause between two checks, which a test ends. */
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  const { factCheck } = UPLINK_TIMES;
  await start({
    facts: () => facts,
    pause: (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      pauses.push({ ms, end: () => resolve(true) });
      signal.addEventListener('abort', () => resolve(false));
      return promise;
    },
    logger: pino({ level: 'warn' }, sink),
    times: { factCheck },
  });
  await expect.poll(() => pauses).toHaveLength(1);
  const pauseAfterCheck = async (): Promise<number> => {
    const { length } = pauses;
    pauses.at(-1)?.end();
    await expect.poll(() => pauses, { interval: 2 }).toHaveLength(length + 1);
    return pauses.at(-1)?.ms ?? 0;
  };
  const calls = () => system.cloud.connects.length;
  expect([await pauseAfterCheck(), calls()]).toEqual([factCheck.minMs, 1]);
  for (const refusals of [8, 3]) {
    system.cloud.answer = 422;
    facts = { ...FACTS, inverter_count: refusals };
    for (let i = 0; i < refusals; i++) {
      const mostMs = Math.min(factCheck.maxMs, 2 * factCheck.minMs * 2 ** i);
      const ms = await pauseAfterCheck();
      expect(ms).toBeGreaterThanOrEqual(mostMs / 2);
      expect(ms).toBeLessThanOrEqual(mostMs);
    }
    system.cloud.answer = system.ready;
    const before = calls();
    expect([await pauseAfterCheck(), await pauseAfterCheck()]).toEqual([factCheck.minMs, factCheck.minMs]);
    expect(calls()).toBe(before + 1);
  }
  expect(warnings).toEqual(['the cloud answers 422: no', 'the cloud answers 422: no']);
  expect(system.uplink.status.state).toBe('online');
});
