import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { createLogger } from '@heliograph/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDevice } from '../../../test/serve/api/test-device.ts';
import { startTestTunnel } from '../../../test/serve/api/test-tunnel.ts';
import { startBroker, type TestBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { startWholeDevice, type WholeDevice } from '../../../test/whole-device.ts';
import { diskCheck } from './readiness.ts';
import { storeCheck } from './store-check.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

const INVERTER = recordedBank(
  buildChain(
    [
      { id: 1, values: { Mn: 'Kostal', Md: 'Plenticore', SN: 'A-77', Vr: '1.44' } },
      { id: 103, values: { W: 5, W_SF: 0 } },
    ],
    { unitId: 1 },
  ),
);

/** No program takes port 1. */
const DEAD = 'modbus-tcp://127.0.0.1:1';

const lines: Record<string, unknown>[] = [];
const cleanups: (() => Promise<unknown>)[] = [];
let device: WholeDevice;
let broker: TestBroker;
beforeAll(async () => {
  const hardware = await startRegisterServer({ host: '127.0.0.1', port: 0, ...INVERTER });
  broker = await startBroker();
  const logger = createLogger('device', 'debug', { write: (line) => lines.push(JSON.parse(line)) });
  device = await startWholeDevice(
    // Values are stale after three polls, which a busy machine may be late by.
    `poll_interval_s: 0.5
mdns: false
mqtt: { url: "${broker.url}" }
connections:
  - { driver: sunspec, bus: "modbus-tcp://127.0.0.1:${hardware.port}" }
  - { driver: deye, bus: "${DEAD}", unit: 3 }
`,
    { logger },
  );
  cleanups.push(
    () => hardware.stop(),
    () => broker.stop(),
    () => device.stop(),
  );
});
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});
beforeEach(() => {
  lines.length = 0;
});

/** Every sample of the metrics, by its name and labels. */
async function samples(): Promise<Map<string, number>> {
  const text = await (await fetch(`${device.url}/metrics`)).text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end).replace(/^heliograph_device_/, ''), Number(line.slice(end + 1))];
      }),
  );
}

describe('GET /metrics', () => {
  it('the metrics have connections, ages of values, stores, tunnel and broker', async () => {
    const one = 'connection="1",driver="sunspec"';
    const two = 'connection="2",driver="deye"';
    await expect.poll(async () => (await samples()).get(`connection_up{${one}}`)).toBe(1);
    await expect.poll(async () => (await samples()).get('mqtt_up')).toBe(1);
    await expect.poll(async () => (await samples()).get(`poll_failures_total{${two}}`)).toBeGreaterThan(0);
    const found = await samples();
    expect(found.get(`connection_up{${two}}`)).toBe(0);
    expect(found.get(`polls_total{${one}}`)).toBeGreaterThan(0);
    expect(found.get(`polls_total{${two}}`)).toBe(0);
    expect(found.get(`poll_duration_seconds{${one}}`)).toBeGreaterThan(0);
    expect(found.has(`poll_duration_seconds{${two}}`)).toBe(false);
    expect(found.get(`link_requests_total{${one}}`)).toBeGreaterThan(0);
    expect(found.get(`withheld_values_total{${one}}`)).toBe(0);
    expect(found.get('value_age_seconds{unit="inverter_1"}')).toBeGreaterThanOrEqual(0);
    expect(found.get('stale_values{unit="inverter_1"}')).toBe(0);
    expect(found.get('store_size_bytes{store="device"}')).toBeGreaterThan(0);
    expect(found.get('store_size_bytes{store="history"}')).toBeGreaterThan(0);
    expect(found.get('disk_free_bytes')).toBeLessThan(found.get('disk_size_bytes') ?? 0);
    expect(found.get('history_recording')).toBe(1);
    expect(found.get('store_usable')).toBe(1);
    expect(found.get('stream_clients')).toBe(0);
    expect(found.has('tunnel_up')).toBe(false);
    expect([...found.keys()].join()).not.toContain('127.0.0.1');
  });

  it('the metrics count requests by method, pattern of the route and class of the status', async () => {
    const before = await samples();
    await device.answer('/api/v1/links');
    expect((await device.browser.get('/api/v1/probe/none')).status).toBe(404);
    const grown = async (name: string): Promise<number> =>
      ((await samples()).get(name) ?? 0) - (before.get(name) ?? 0);
    await expect.poll(() => grown('requests_total{method="GET",route="/api/v1/links",status="2xx"}')).toBe(1);
    await expect
      .poll(() => grown('requests_total{method="GET",route="/api/v1/probe/:id",status="4xx"}'))
      .toBe(1);
  });

  it('the metrics need the device password at an address that is not listed, and are not there for the proxy', async () => {
    const other = await startTestDevice({ metricsFrom: [] });
    const status = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
      (await fetch(`${url}/metrics`, { headers })).status;
    const tunnel = await startTestTunnel(other.api.tunnel);
    expect(await status(other.api.url)).toBe(401);
    expect((await other.fetch('/metrics')).status).toBe(200);
    expect(await status(tunnel.url)).toBe(404);
    expect(await status(device.url, { origin: 'https://elsewhere.example' })).toBe(401);
    // As reverse proxies on the same machine send them.
    for (const name of [
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'Forwarded',
      'Via',
      'X-Real-IP',
      'CF-Connecting-IP',
    ])
      expect([name, await status(device.url, { [name]: '127.0.0.1' })]).toEqual([name, 401]);
    tunnel.stop();
    await other.stop();
  });
});

describe('a request', () => {
  it('the id of a trace is in the answer and in the log', async () => {
    const answer = await device.browser.get('/api/v1/links?token=hidden', { traceparent: TRACEPARENT });
    expect(answer.headers.get('x-request-id')).toBe(TRACE_ID);
    const found = () => lines.filter(({ msg }) => msg === 'request');
    await expect
      .poll(found)
      .toMatchObject([
        { requestId: TRACE_ID, level: 20, method: 'GET', route: '/api/v1/links', status: 200 },
      ]);
    expect(JSON.stringify(lines)).not.toContain('hidden');
  });

  it('a line that the handling of a request writes has the id of the request', async () => {
    await device.browser.send('POST', '/api/v1/session', { password: 'wrong' }, { traceparent: TRACEPARENT });
    await expect
      .poll(() => lines.filter(({ msg }) => String(msg).startsWith('audit:')))
      .toMatchObject([{ requestId: TRACE_ID }]);
  });
});

describe('GET /readyz', () => {
  it.each([
    [500_000, 32e9, 'failed', 'The disk is full: no setting can be written, and no history'],
    [150_000_000, 1e9, 'warning', '15 % of the disk are free'],
    [1e9, 32e9, 'warning', '3 % of the disk are free'],
    [8e9, 32e9, 'ok', '25 % of the disk are free'],
    [0, 0, 'warning', 'The free room on the disk is not known'],
  ])('a disk with %i of %i bytes free is %s', (diskFree, disk, status, detail) => {
    expect(diskCheck({ store: 0, history: 0, diskFree, disk })).toEqual({ status, detail });
  });

  const at = '2026-11-28T12:00:00.000Z';
  const gap = { from: '2026-08-25T00:00:00.000Z', until: '2026-08-25T15:00:00.000Z', count: 15 };
  const none = { cause: 'damaged', days: null, kept: null, history: null, new_identity: false } as const;
  it.each([
    [{ hours: null, settings: false, entries: 0 }, 'and nothing was lost'],
    [
      { hours: gap, settings: false, entries: 0 },
      `and lost the energy of 15 hours between ${gap.from} and ${gap.until}: restore a backup`,
    ],
    [
      { hours: { ...gap, from: null, count: null }, settings: true, entries: 3 },
      `and lost the energy before ${gap.until}, settings, 3 entries of logs and alerts: restore a backup`,
    ],
    [
      { hours: { from: null, until: null, count: null }, settings: false, entries: null },
      'and lost all energy, an unknown number of entries of logs and alerts: restore a backup',
    ],
    [
      {
        ...{ hours: null, settings: false, entries: 0 },
        days: { from: '2026-08-01', until: '2026-08-03', count: 2 },
        kept: { hours: 40, days: 8, entries: 3 },
      },
      'and lost the totals of 2 days from 2026-08-01 to 2026-08-03: restore a backup; ' +
        'it kept 40 hours and 8 days of energy, 3 entries',
    ],
    [
      { hours: null, settings: false, entries: 0, history: { from: gap.from, until: null } },
      `and lost readings between ${gap.from} and that day: restore a backup`,
    ],
  ])('a database that lost %j is a warning that names it', (loss, cost) => {
    expect(storeCheck({ failure: null, loss: { at, ...none, ...loss } })).toEqual({
      status: 'warning',
      detail: `The database was damaged on 2026-11-28 ${cost}`,
    });
  });

  it('a database that the disk could not read all of is a warning that names the disk', () => {
    const loss = { ...none, hours: null, settings: true, entries: 0, cause: 'unreadable' } as const;
    expect(storeCheck({ failure: null, loss: { at, ...loss } })).toEqual({
      status: 'warning',
      detail: 'The database had a read error of the disk on 2026-11-28 and lost settings: restore a backup',
    });
  });

  it('a database that was replaced is a warning that names what is missing, and what it kept', () => {
    const loss = {
      hours: null,
      settings: false,
      entries: 0,
      ...none,
      history: null,
      cause: 'replaced',
    } as const;
    const kept = { hours: 40, days: 8, entries: 3 };
    expect(storeCheck({ failure: null, loss: { at, ...loss, new_identity: true, kept } })).toEqual({
      status: 'warning',
      detail:
        'The database was replaced by a new one on 2026-11-28 and lost the identity: restore a backup; ' +
        'it kept 40 hours and 8 days of energy, 3 entries',
    });
  });

  it.each([
    ['damaged', 'the database is damaged'],
    ['newer', 'the database was changed by a newer release'],
    ['permission', 'the database cannot be opened or written'],
    ['full', 'the disk is full'],
    ['unreadable', 'the database cannot be read or written'],
  ] as const)('a store that is %s fails with a reason that anyone may read', (failure, reason) => {
    expect(storeCheck({ failure, loss: null })).toEqual({
      status: 'failed',
      detail: `Settings and energy cannot be stored: ${reason}`,
    });
  });

  it('a row answers for each check', async () => {
    await expect
      .poll(async () => (await fetch(`${device.url}/readyz`)).json())
      .toMatchObject({
        status: 'ready',
        checks: [
          { name: 'configuration', status: 'ok' },
          { name: 'readings', status: 'warning', detail: '1 of 2 connections to hardware work' },
          { name: 'disk' },
          { name: 'store', status: 'ok', detail: 'Settings and energy are stored' },
          { name: 'history', status: 'ok' },
          { name: 'cloud', status: 'ok', detail: 'No cloud is configured' },
          { name: 'mqtt', status: 'ok', detail: 'The broker is connected' },
        ],
      });
  });
});
