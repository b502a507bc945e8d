import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedHome } from '@heliograph/dev/plant';
import { pylontechRs485 } from '@heliograph/dev/plant/pylontech';
import { type Attach, serveLine } from '@heliograph/dev/serial';
import { Env, ManualClock, silentLogger } from '@heliograph/kit';
import type { MetricRow } from '@heliograph/metrics';
import { afterEach, expect, it, vi } from 'vitest';
import { connectStream } from '../test/serve/stream/stream-client.ts';
import { loadConfig } from './config/config.ts';
import { startDevice } from './device.ts';
import { loadFamilies } from './drivers/families/families.ts';

const PASSWORD = 'a device password';

/** Two modules: what is read of them in turn, by the address and the command that asks for it. */
const IN_TURN: Readonly<Record<string, string>> = {
  'battery_1/manufacturer': '02 51',
  'battery_1/serial_number': '02 93',
  'battery_1/firmware_version': '02 96',
  'battery_1/cell_high_voltage_limit': '02 47',
  'battery_2/serial_number': '03 93',
  'battery_2/firmware_version': '03 96',
  'battery_2/cell_high_voltage_limit': '03 47',
};
const ROUND = Object.keys(IN_TURN).length;

/** Asked first of all in every poll. */
const MEASURED = '02 42';

/** Time passes when a poll begins, and else never; less than makes a value stale. */
const STEP_MS = 100;

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** A device with two battery modules, and when each of its questions was asked. */
async function startHome() {
  const clock = new ManualClock(Date.parse('2026-07-15T12:00:00Z'));
  const requested: { readonly question: string; readonly at: number }[] = [];
  const modules = pylontechRs485(simulatedHome(new ManualClock(clock.now())), { modules: 2 });
  const server = await serveLine(
    listened(modules, (question) => {
      if (question === MEASURED) clock.advance(STEP_MS);
      requested.push({ question, at: clock.now() });
    }),
  );
  running.push(() => server.stop());
  const folder = mkdtempSync(join(tmpdir(), 'device-'));
  running.push(async () => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'device.yaml'),
    `poll_interval_s: 0.05\nmdns: false\nconnections:\n` +
      `  - { driver: pylontech, bus: "serial-tcp://${server.host}:${server.port}", options: { port: rs485 } }\n`,
  );
  const env = { DEVICE_DATA: folder, DEVICE_HOST: '127.0.0.1', DEVICE_PORT: '0', DEVICE_PASSWORD: PASSWORD };
  const config = loadConfig(new Env(env), await loadFamilies({ wanted: ['pylontech'] }));
  const device = await startDevice(config, { clock, logger: silentLogger });
  running.push(() => device.stop());
  return { clock, requested, server, url: device.facts.url };
}

/** The same device; `listen` is called with the address and the command of each request, before the device receives it. */
function listened(device: Attach, listen: (question: string) => void): Attach {
  return (line) => {
    const take = (bytes: Buffer): void => {
      for (const [, address, command] of bytes.toString('latin1').matchAll(/~..(..)46(..)/g)) {
        listen(`${address} ${command}`);
      }
    };
    line.on('data', take);
    const detach = device(line);
    return () => {
      line.off('data', take);
      detach();
    };
  };
}

async function readRows(url: string): Promise<ReadonlyMap<string, MetricRow>> {
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const answer = await fetch(`${url}/api/v1/metrics?topic=battery_*/*`, { headers: { authorization } });
  const rows = (await answer.json()) as MetricRow[];
  return new Map(rows.map((row) => [row.topic, row]));
}

/** Milliseconds since the epoch; 0 for what was never read. */
function updatedAt(rows: ReadonlyMap<string, MetricRow>, topic: string): number {
  const time = rows.get(topic)?.updated_at ?? null;
  return time === null ? 0 : Date.parse(time);
}

it('a value read in turns is as old as its last reading, and stale only with its link', async () => {
  const { clock, requested, server, url } = await startHome();
  let rows = await readRows(url);
  for (let poll = 0; poll <= ROUND; poll++) {
    const earlier = updatedAt(rows, 'battery_1/voltage');
    rows = await vi.waitFor(
      async () => {
        const now = await readRows(url);
        expect(updatedAt(now, 'battery_1/voltage')).toBeGreaterThan(earlier);
        return now;
      },
      { timeout: 10_000, interval: 5 },
    );
    const polledAt = updatedAt(rows, 'battery_1/voltage');
    expect(polledAt).toBeLessThanOrEqual(clock.now());
    for (const [topic, question] of Object.entries(IN_TURN)) {
      const last = requested.findLast((each) => each.question === question && each.at <= polledAt);
      expect(updatedAt(rows, topic), topic).toBe(last?.at);
      expect(updatedAt(rows, topic), topic).toBeGreaterThan(polledAt - ROUND * STEP_MS);
      expect(rows.get(topic), topic).toMatchObject({ value: expect.anything(), stale: false });
    }
  }
  expect(new Set(Object.keys(IN_TURN).map((topic) => updatedAt(rows, topic))).size).toBe(ROUND);

  const stream = await connectStream(
    `${url.replace('http', 'ws')}/api/websocket?password=${encodeURIComponent(PASSWORD)}&vsn=2.0.0`,
  );
  running.push(async () => stream.socket.terminate());
  stream.send('1', '1', 'metrics', 'phx_join', { topics: [{ topic: 'battery_2/serial_number' }] });
  const topic = 'battery_2/serial_number';
  const { value } = rows.get(topic) ?? {};
  expect((await stream.next('data'))[4]).toEqual({ metrics: [{ topic, value }] });

  await server.stop();
  await vi.waitFor(async () => {
    clock.advance(10 * STEP_MS);
    rows = await readRows(url);
    expect(rows.get(topic)).toMatchObject({ value: null, stale: true });
  }, 10_000);
  const times = requested.filter(({ question }) => question === IN_TURN[topic]).map(({ at }) => at);
  expect(times).toContain(updatedAt(rows, topic));
  const old = { value: null, stale: true, last_value: value, updated_at: expect.any(String) };
  expect((await stream.next('data'))[4]).toEqual({ metrics: [{ topic, ...old }] });
});
