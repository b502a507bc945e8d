import { beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { TestSystem } from '../src/testing/test-system.ts';

interface Row {
  readonly topic: string;
  readonly group: string;
  readonly name: string;
  readonly value: number | string | boolean | null;
  readonly unit: string;
}

interface Authorization {
  readonly host: string;
  readonly token: string;
  readonly site_id: number;
  readonly site_key: string;
  readonly site_name: string;
}

/** The purpose of the service: reading and writing a home's metrics, at every address of its device. */
export function describeReadAndWrite(systemOf: () => TestSystem): void {
  let system: TestSystem;
  beforeAll(() => {
    system = systemOf();
  });

  async function authorize(): Promise<Authorization> {
    const { cloud, account, organization } = system.run;
    const signIn = await fetch(`${cloud.url}/api/v1/sign_in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: account.email,
        password: account.password,
        organization_id: organization.id,
      }),
    });
    expect(signIn.status).toBe(200);
    const { token } = (await signIn.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const sites = (await (await fetch(`${cloud.url}/api/v1/sites`, { headers })).json()) as { id: number }[];
    const id = sites[0]?.id;
    const answer = await fetch(`${cloud.url}/api/v1/sites/${id}/authorize`, { method: 'POST', headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Authorization;
  }

  /** The base URL of a device's API and the headers that authenticate, for each kind of caller. */
  const ENDPOINTS = {
    'through the proxy': async () => {
      const { host, token, site_id, site_key } = await authorize();
      return {
        base: `http://${host}`,
        headers: { authorization: `Bearer ${token}`, 'Site-Id': String(site_id), 'Site-Key': site_key },
      };
    },
    'on the LAN with the password': async () => ({
      base: system.run.device.url,
      headers: { authorization: `Basic ${btoa(`admin:${system.run.device.password}`)}` },
    }),
    'on the LAN with the site token': async () => ({
      base: system.run.device.url,
      headers: { authorization: `Bearer ${(await authorize()).token}` },
    }),
  };

  describe.each(Object.entries(ENDPOINTS))('the device API %s', (_name, endpoint) => {
    const get = async (query: string) => {
      const { base, headers } = await endpoint();
      return fetch(`${base}/api/v1/metrics${query}`, { headers });
    };
    const rows = async (query: string) => (await (await get(query)).json()) as Row[];
    const set = async (topic: string, value: string) => {
      const { base, headers } = await endpoint();
      return fetch(`${base}/api/v1/metrics`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ topic, value }),
      });
    };

    it('every metric is listed with its group, name, value and unit', async () => {
      const all = await rows('');
      expect(all.length).toBeGreaterThan(30);
      expect(all.find(({ topic }) => topic === 'total/pv_power')).toMatchObject({
        group: 'Status',
        name: 'PV power',
        value: expect.any(Number),
        unit: 'W',
      });
    });

    it('a topic glob filters the metrics', async () => {
      const battery = await rows('?topic=battery*');
      expect(battery.map(({ topic }) => topic)).toContain('battery_1/state_of_charge');
      expect(battery.every(({ topic }) => topic.startsWith('battery'))).toBe(true);
      const totals = await rows('?topic=total/*');
      expect(totals.map(({ topic }) => topic)).toContain('total/grid_energy_in');
      expect(totals.every(({ topic }) => topic.startsWith('total/'))).toBe(true);
    });

    it('the bare value is the answer to value=1', async () => {
      const answer = await get('?topic=battery_1/state_of_charge&value=1');
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await answer.text()).toMatch(/^\d+(\.\d+)?$/);
    });

    it('load is pv + grid - battery in every read', async () => {
      const read = async () => {
        const values = Object.fromEntries(
          (await rows('?topic=total/*power')).map(({ topic, value }) => [topic, value]),
        );
        return values as Record<string, number>;
      };
      for (let i = 0; i < 10; i++) {
        const totals = await read();
        expect(totals['total/load_power']).toBe(
          (totals['total/pv_power'] ?? Number.NaN) +
            (totals['total/grid_power'] ?? Number.NaN) -
            (totals['total/battery_power'] ?? Number.NaN),
        );
      }
    });

    it('a setting of the inverter is written, and the next read has its value', async () => {
      const before = await rows('?topic=inverter_1/battery_reserve');
      const value = before[0]?.value === 15 ? '25' : '15';
      const answer = await set('inverter_1/battery_reserve', value);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ topic: 'inverter_1/battery_reserve', result: 'ok' });
      expect(await rows('?topic=inverter_1/battery_reserve')).toMatchObject([{ value: Number(value) }]);
    });

    it.each([
      ['no such topic', 'inverter_1/nonsense', '1', [/inverter_1\/nonsense/], undefined],
      ['a measurement', 'total/pv_power', '1', [/total\/pv_power/], 'read_only'],
      [
        'out of range',
        'inverter_1/battery_reserve',
        '101',
        [/inverter_1\/battery_reserve/, /0/, /100/],
        'invalid_value',
      ],
      [
        'not a number',
        'inverter_1/battery_reserve',
        'full',
        [/inverter_1\/battery_reserve/, /0/, /100/],
        'invalid_value',
      ],
      [
        'not an option',
        'inverter_1/grid_charge',
        'maybe',
        [/inverter_1\/grid_charge/, /Enabled/, /Disabled/],
        'invalid_value',
      ],
    ])('a write is refused: %s', async (_what, topic, value, patterns, reason) => {
      const answer = await set(topic, value);
      expect(answer.status).toBe(422);
      const { error, ...fields } = (await answer.json()) as { error: string };
      for (const pattern of patterns) expect(error).toMatch(pattern);
      expect(fields).toEqual(reason === undefined ? {} : { outcome: 'not sent', reason });
    });

    it.each([
      ['malformed JSON', 400, '{"topic":'],
      ['a missing value', 400, '{"topic":"inverter_1/battery_reserve"}'],
      ['a body over 1 MiB', 413, JSON.stringify({ topic: 'x', value: 'y'.repeat(1_100_000) })],
    ])('the device refuses %s with %i', async (_what, status, body) => {
      const { base, headers } = await endpoint();
      const answer = await fetch(`${base}/api/v1/metrics`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual({ error: expect.any(String) });
    });

    it('an unknown route gets 404', async () => {
      const { base, headers } = await endpoint();
      const answer = await fetch(`${base}/api/v1/nonsense`, { headers });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: expect.any(String) });
    });
  });

  describe('wrong credentials and requests', () => {
    it.each(['authorization', 'Site-Id', 'Site-Key'])(
      'the proxy refuses a missing or wrong %s',
      async (name) => {
        const { base, headers } = await ENDPOINTS['through the proxy']();
        const without = Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
        expect((await fetch(`${base}/api/v1/metrics`, { headers: without })).status).toBe(401);
        const wrong = { ...headers, [name]: name === 'Site-Id' ? '999999' : 'Bearer wrong' };
        const refused = await fetch(`${base}/api/v1/metrics`, { headers: wrong });
        expect(refused.status).toBe(401);
        expect(await refused.json()).toEqual({ error: expect.any(String) });
      },
    );

    it('the device refuses a wrong password and a nonsense token', async () => {
      const url = `${system.run.device.url}/api/v1/metrics`;
      for (const authorization of [`Basic ${btoa('admin:wrong')}`, 'Bearer wrong', '']) {
        expect((await fetch(url, { headers: { authorization } })).status).toBe(401);
      }
    });

    it('the cloud refuses a wrong password, an unknown route, malformed JSON and a huge body', async () => {
      const { cloud, account } = system.run;
      const post = (path: string, body: string) =>
        fetch(`${cloud.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
      const credentials = { email: account.email, password: 'wrong', organization_id: 'none' };
      expect((await post('/api/v1/sign_in', JSON.stringify(credentials))).status).toBe(401);
      expect((await post('/api/v1/nonsense', '{}')).status).toBe(404);
      expect((await post('/api/v1/sign_in', '{"email"')).status).toBe(400);
      expect((await post('/api/v1/sign_in', `"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
    });
  });

  describe('the live stream', () => {
    const STREAMS = {
      'at the proxy': async () => {
        const { host, token, site_id, site_key } = await authorize();
        return {
          url: `ws://${host}/api/websocket?vsn=2.0.0&token=${token}`,
          headers: { 'site-id': String(site_id), 'site-key': site_key },
        };
      },
      'at the device with the password': async () => ({
        url: `${system.run.device.url.replace('http', 'ws')}/api/socket/websocket?vsn=2.0.0&password=${system.run.device.password}`,
        headers: {},
      }),
      'at the device with the site token': async () => ({
        url: `${system.run.device.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0&token=${(await authorize()).token}`,
        headers: {},
      }),
    };

    it.each(Object.entries(STREAMS))(
      'the stream %s sends definitions, then data, then set_result',
      async (_name, endpoint) => {
        const { url, headers } = await endpoint();
        const socket = new WebSocket(url, { headers });
        type Frame = [string | null, string | null, string, string, Record<string, unknown>];
        const frames: Frame[] = [];
        socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame));
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
        const named = (event: string) => frames.filter((frame) => frame[3] === event);

        socket.send(JSON.stringify(['1', '2', 'metrics', 'phx_join', { topics: [{ topic: 'total/*' }] }]));
        await expect.poll(() => named('phx_reply')[0]?.slice(0, 3)).toEqual(['1', '2', 'metrics']);
        await expect.poll(() => named('data').length).toBeGreaterThan(2);
        const events = frames.map((frame) => frame[3]);
        expect(events.indexOf('definition')).toBeLessThan(events.indexOf('data'));

        socket.send(JSON.stringify(['3', '4', 'metrics', 'phx_join', {}]));
        socket.send(
          JSON.stringify([
            '3',
            '5',
            'metrics',
            'set',
            { topic: 'inverter_1/battery_reserve', value: '20.0' },
          ]),
        );
        await expect
          .poll(() => named('set_result')[0]?.[4])
          .toEqual({ topic: 'inverter_1/battery_reserve', result: 'ok' });
        socket.send(JSON.stringify(['3', '6', 'metrics', 'set', { topic: 'total/pv_power', value: '1' }]));
        await expect
          .poll(() => named('set_result')[1]?.[4])
          .toEqual({
            topic: 'total/pv_power',
            result: 'error',
            message: expect.stringContaining('total/pv_power'),
            outcome: 'not sent',
            reason: 'read_only',
          });
        socket.close();
      },
    );

    it.each([
      [
        'a wrong password',
        () => `${system.run.device.url.replace('http', 'ws')}/api/websocket?password=wrong`,
      ],
      ['no token at the proxy', () => `ws://${system.run.proxy.host}/api/websocket`],
    ])('a stream is refused with 401 for %s', async (_what, url) => {
      const socket = new WebSocket(url());
      const failure = await new Promise<Error>((resolve) => socket.once('error', resolve));
      expect(failure.message).toContain('401');
    });
  });
}
