import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { silentLogger, systemClock } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Plant, READ_AT } from '../../../test/serve/api/plant.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';
import { testMonitoring } from '../../../test/serve/api/test-monitoring.ts';
import { FollowedWrites } from '../../storage/followed-writes.ts';
import { startDeviceApi } from './device-api.ts';

let device: TestDevice;
beforeAll(async () => {
  device = await startTestDevice();
});
afterAll(() => device.stop());

const topicsOf = async (path: string): Promise<string[]> => {
  const rows = (await (await device.fetch(path)).json()) as { topic: string }[];
  return rows.map(({ topic }) => topic);
};

describe('GET /api/v1/metrics', () => {
  it('every metric is listed with its value and the time of its reading', async () => {
    const answer = await device.fetch('/api/v1/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const rows = (await answer.json()) as object[];
    expect(rows).toHaveLength(11);
    expect(rows[0]).toEqual({
      topic: 'total/pv_power',
      device: 'totals',
      number: null,
      group: 'Status',
      name: 'PV power',
      value: 1240,
      unit: 'W',
      updated_at: new Date(READ_AT).toISOString(),
      stale: false,
    });
    expect(rows[8]).toMatchObject({ topic: 'battery_1/voltage', number: 0, value: null });
  });

  it.each([
    ['total/*', ['total/pv_power', 'total/load_power']],
    ['battery*', ['battery_1/voltage']],
    ['*/pv_power', ['total/pv_power', 'inverter_1/pv_power']],
    ['total/pv_power', ['total/pv_power']],
    ['inverter_1/combine*', ['inverter_1/combine_pv/ac_supply']],
    ['inverter_1/raw_status_word', ['inverter_1/raw_status_word']],
    ['nothing/*', []],
  ])('the glob %s is answered with its matches', async (glob, topics) => {
    expect(await topicsOf(`/api/v1/metrics?topic=${encodeURIComponent(glob)}`)).toEqual(topics);
  });

  it('an empty topic is none', async () => {
    expect(await topicsOf('/api/v1/metrics?topic=')).toEqual(await topicsOf('/api/v1/metrics'));
  });

  it('discovery fields are added on request', async () => {
    const answer = await device.fetch('/api/v1/metrics?discovery&topic=inverter_1%2Fmax%2A');
    expect(await answer.json()).toEqual([
      {
        topic: 'inverter_1/max_charge_current',
        device: 'inverters',
        number: 0,
        group: 'Settings',
        name: 'Max charge current',
        unit: 'A',
        value: 25,
        updated_at: expect.any(String),
        stale: false,
        platform: 'number',
        device_class: 'current',
        state_class: null,
        unit_of_measurement: 'A',
        min: 0,
        max: 100,
        step: 1,
        options: null,
        payload_on: null,
        payload_off: null,
      },
    ]);
  });

  it.each([
    ['total/pv_power', '1240'],
    ['inverter_1/work_mode', 'Zero export'],
    ['inverter_1/combine_pv/ac_supply', 'true'],
    ['battery_1/voltage', ''],
    ['total/*', '1240'],
  ])('value=1 of %s is answered with the text "%s"', async (glob, text) => {
    const answer = await device.fetch(`/api/v1/metrics?topic=${encodeURIComponent(glob)}&value=1`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await answer.text()).toBe(text);
  });

  it('value=1 without a match is answered with 404 and the topic', async () => {
    const answer = await device.fetch('/api/v1/metrics?topic=nothing&value=1');
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'No metric matches nothing' }]);
  });

  it('the answer is of the newest snapshot, never of a cached older one', async () => {
    for (const power of [1, 2, 3]) {
      device.plant.publish({ 'total/load_power': power });
      const [row] = (await (await device.fetch('/api/v1/metrics?topic=total/load_power')).json()) as object[];
      expect(row).toMatchObject({ value: power });
    }
  });
});

it('GET /api/v1/system lists the rows of the device itself with their classes', async () => {
  const rows = (await (await device.fetch('/api/v1/system')).json()) as object[];
  expect(rows).toMatchObject([
    { topic: 'system/site_id', device: 'system', group: 'Info', name: 'Site ID', value: 7 },
    { topic: 'system/cpu_temperature', value: 48, unit: '°C', device_class: 'temperature' },
  ]);
});

const post = (body: unknown, init: RequestInit = {}) =>
  device.fetch('/api/v1/metrics', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  });

describe('POST /api/v1/metrics', () => {
  const topic = 'inverter_1/max_charge_current';

  it.each([['40'], [41], ['42.0']])('the value %j is written as text', async (value) => {
    const answer = await post({ topic, value });
    expect([answer.status, await answer.json()]).toEqual([200, { topic, result: 'ok' }]);
    expect(device.settings.writes.at(-1)).toEqual({
      topic,
      value: String(value),
      author: { name: 'local', via: 'lan' },
    });
    const read = await device.fetch(`/api/v1/metrics?topic=${topic}&value=1`);
    expect(await read.text()).toBe(String(Number(value)));
  });

  it('booleans are passed on as their text', async () => {
    const answer = await post({ topic, value: true });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { error: `${topic} must be from 0 to 100 A` },
    ]);
  });

  it.each([
    ['an unknown topic', { topic: 'x/y', value: '1' }, 422, /^x\/y cannot be written$/],
    ['a value out of range', { topic, value: '101' }, 422, /^inverter_1\/max_charge_current must be/],
    ['no topic', { value: '1' }, 400, /topic/],
    ['no value', { topic }, 400, /value/],
    [
      'a null value',
      { topic, value: null },
      400,
      /^value must be a text, a number or true or false, not null$/,
    ],
    ['a list as value', { topic, value: ['1'] }, 400, /value/],
    ['an endless value', { topic, value: '9'.repeat(300) }, 422, /^inverter_1\/max_charge_current must be/],
    ['an empty topic', { topic: '', value: '1' }, 400, /topic/],
    ['malformed JSON', '{"topic":', 400, /^The body is not valid JSON$/],
    ['no body', '', 400, /^The body is missing$/],
    ['JSON 30,000 deep', '['.repeat(3e4) + ']'.repeat(3e4), 400, /too deep/],
    ['a field twice', `{"topic":"${topic}","value":"1","value":"2"}`, 400, /twice/],
    ['a reserved name', '{"__proto__":{}}', 400, /^The body has a field with a reserved name/],
    [
      'a body over 64 KiB',
      JSON.stringify({ topic, value: 'x'.repeat(64 * 1024) }),
      413,
      /^The body is too large$/,
    ],
  ])('the request is refused: %s', async (_what, body, status, message) => {
    const before = device.settings.writes.length;
    const answer = await post(body);
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.stringMatching(message) }]);
    expect(device.settings.writes).toHaveLength(before);
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', ''])(
    'a body of the type "%s", which any web page could make a browser send, is refused',
    async (type) => {
      const before = device.settings.writes.length;
      const answer = await post({ topic, value: '40' }, { headers: { 'content-type': type } });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        { error: 'The body must be JSON, with Content-Type: application/json' },
      ]);
      expect(device.settings.writes).toHaveLength(before);
    },
  );

  it.each([
    ['compressed', { 'content-encoding': 'gzip' }, 'not be compressed: no Content-Encoding'],
    [
      'in another charset',
      { 'content-type': 'application/json; charset=utf-16' },
      'be in UTF-8: no other charset',
    ],
  ])('a body whose headers call it %s is refused, and nothing is written', async (_what, headers, rule) => {
    const before = device.settings.writes.length;
    const answer = await post({ topic, value: '34' }, { headers });
    expect([answer.status, await answer.json()]).toEqual([
      415,
      { error: `The body must ${rule} is supported` },
    ]);
    expect(device.settings.writes).toHaveLength(before);
  });

  it('an internal error is hidden from the client', async () => {
    device.settings.failure = new Error('secret detail');
    const answer = await post({ topic, value: '1' });
    device.settings.failure = undefined;
    expect([answer.status, await answer.json()]).toEqual([500, { error: 'Internal error' }]);
  });
});

describe('bad requests', () => {
  it.each([
    ['GET', '/nowhere', 404],
    ['GET', '/api/v1/metrics/1', 404],
    ['PUT', '/api/v1/metrics', 405],
    ['DELETE', '/api/v1/session/nothing', 404],
    ['GET', '/api/websocket', 426],
    ['GET', '/api/socket/websocket?vsn=2.0.0', 426],
    ['POST', '/api/websocket', 405],
    ['GET', '/api/v1/metrics?value=2', 400],
    ['GET', `/api/v1/metrics?topic=${'x'.repeat(257)}`, 400],
    ['GET', '/api/v1/metrics?topic=a&topic=b', 400],
    ['GET', '/%zz', 400],
  ])('%s %s is answered %i with an error', async (method, path, status) => {
    const answer = await device.fetch(path, { method });
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }]);
  });
});

it.each(['DELETE', 'OPTIONS'])(
  'the method %s, which a path does not have, is answered with 405 and those that it has',
  async (method) => {
    const answer = await device.fetch('/api/v1/metrics', { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  },
);

it('a request for the stream without an upgrade is answered with what to upgrade to', async () => {
  const answer = await device.fetch('/api/websocket');
  expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
});

describe('the host of a request', () => {
  const answerTo = (lines: readonly string[]): Promise<string> => {
    const socket = connect(device.api.port, '127.0.0.1');
    socket.write([...lines, '', ''].join('\r\n'));
    return text(socket);
  };
  const CLOSE = 'Connection: close';
  const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const KEY = 'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==';
  const SOCKET = `/api/websocket?vsn=2.0.0&password=${encodeURIComponent(PASSWORD)}`;

  it.each([
    ['/healthz', [CLOSE]],
    ['/', [CLOSE]],
    ['/api/v1/metrics', [CLOSE]],
    ['/metrics', [CLOSE]],
    [SOCKET, [...UPGRADE, KEY]],
  ])(
    'a request to %s without a host, or with two, is 400 in the shape of all refusals',
    async (path, lines) => {
      const without = await answerTo([`GET ${path} HTTP/1.1`, ...lines]);
      expect(without).toMatch(/^HTTP\/1.1 400 /);
      expect(without).toContain('{"error":"The request has no Host header"}');
      const twice = await answerTo([`GET ${path} HTTP/1.1`, 'Host: a', 'Host: b', ...lines]);
      expect(twice).toMatch(/^HTTP\/1.1 400 /);
      expect(twice).toContain('{"error":"The request has more than one Host header"}');
    },
  );

  it.each(['HTTP/1.0', 'HTTP/1.1\r\nHost:', 'HTTP/1.1\r\nHost: [', 'HTTP/1.1\r\nHost: http://x/'])(
    'a request that begins with %j is answered without a failure',
    async (start) => {
      for (const path of ['/', '/sign_in', '/api/v1/session', '/api/v1/metrics', '/metrics', '/mcp'])
        expect(await answerTo([`GET ${path} ${start}`, CLOSE])).toMatch(/^HTTP\/1.1 [234]/);
      const body = JSON.stringify({ password: PASSWORD });
      const json = ['Content-Type: application/json', `Content-Length: ${body.length}`, CLOSE, '', body];
      expect(await answerTo([`POST /api/v1/session ${start}`, ...json])).toMatch(/^HTTP\/1.1 [24]/);
      expect((await fetch(`${device.api.url}/healthz`)).status).toBe(200);
    },
  );
});

it('a client that offers an upgrade to HTTP/2, as Java does, is served over HTTP/1.1', async () => {
  const socket = connect(device.api.port, '127.0.0.1');
  socket.end(
    'GET /healthz HTTP/1.1\r\nHost: device\r\nConnection: Upgrade, HTTP2-Settings, close\r\n' +
      'Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n\r\n',
  );
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
});

describe('health', () => {
  it('health is open to every client', async () => {
    expect((await fetch(`${device.api.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${device.api.url}/readyz`)).status).toBe(200);
  });

  it('the device is not ready before the first reading', async () => {
    const refused = await startTestDevice({ plant: new Plant() });
    expect((await fetch(`${refused.api.url}/readyz`)).status).toBe(503);
    expect(await (await refused.fetch('/api/v1/metrics')).json()).toEqual([]);
    refused.plant.publish({ 'total/pv_power': 1 });
    expect((await fetch(`${refused.api.url}/readyz`)).status).toBe(200);
    await refused.stop();
  });
});

it('a taken port ends the start with the system’s error', async () => {
  const other = await startTestDevice();
  await expect(
    startDeviceApi({
      host: '127.0.0.1',
      port: other.api.port,
      uid: 'another',
      access: other.access,
      snapshots: other.plant.snapshots,
      settings: other.settings,
      writes: new FollowedWrites(other.writes, { settlesBy: () => null }),
      monitoring: testMonitoring(other.plant.snapshots, silentLogger),
      audit: other.audit,
      auditLog: other.auditLog,
      history: other.history,
      energy: other.energy,
      tariffs: other.tariffs,
      alerting: other.alerting,
      losses: { dismiss: () => undefined },
      calendar: { timeZone: 'UTC', energyPeriod: 'daily' },
      energyToday: () => new Map(),
      clock: systemClock,
      logger: silentLogger,
    }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' });
  await other.stop();
});
