import { type AddressInfo, connect as dial, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { Socket as PhoenixSocket } from 'phoenix';
import { connect, getMetrics, SolarAssistantClient } from 'solar-assistant';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { resolvedSchema } from '../src/testing/resolved-schema.ts';
import type { TestSystem } from '../src/testing/test-system.ts';
import { TEST_TLS } from '../src/testing/test-tls.ts';
import { FrameRecorder } from './frame-recorder.ts';

/** Clients that people run, as they come from npm, unchanged. */
export function describeThirdPartyClients(systemOf: () => TestSystem): void {
  let system: TestSystem;
  let tls: Server;
  /** The proxy behind TLS, as in production: the client dials https and wss only. */
  let tlsHost: string;

  beforeAll(async () => {
    system = systemOf();
    tls = await terminateTls(system.run.proxy.host);
    tlsHost = `127.0.0.1:${(tls.address() as AddressInfo).port}`;
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    tls?.close();
  });

  function terminateTls(target: string): Promise<Server> {
    const [host, port] = target.split(':');
    const server = createServer({ key: TEST_TLS.key, cert: TEST_TLS.cert }, (client) => {
      const upstream = dial(Number(port), host);
      client.pipe(upstream).pipe(client);
      client.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
  }

  const address = () => system.run.device.url.replace('http://', '');

  describe('the npm package solar-assistant', () => {
    async function authorized() {
      const client = new SolarAssistantClient({
        apiKey: system.run.account.api_token,
        baseUrl: system.run.cloud.url,
      });
      const sites = await client.listSites({ limit: 1 });
      return client.authorizeSite(sites[0]?.id ?? 0);
    }

    it('the client finds a site by a filter and is authorized for it', async () => {
      const client = new SolarAssistantClient({
        apiKey: system.run.account.api_token,
        baseUrl: system.run.cloud.url,
      });
      expect(await client.listSites({ inverter: 'nothing-like-it' })).toEqual([]);
      expect(await authorized()).toMatchObject({
        site_id: system.run.site.id,
        site_name: system.run.site.name,
      });
    });

    it('the client reads metrics on the LAN and through the proxy', async () => {
      const auth = await authorized();
      const local = await getMetrics({
        host: address(),
        password: system.run.device.password,
        topic: 'battery*',
      });
      const remote = await getMetrics({
        host: tlsHost,
        token: auth.token,
        siteId: auth.site_id,
        siteKey: auth.site_key,
        topic: 'battery*',
      });
      expect(local.map(({ topic }) => topic)).toContain('battery_1/state_of_charge');
      expect(remote.map(({ topic }) => topic)).toEqual(local.map(({ topic }) => topic));
    });

    it.each([
      [
        'on the LAN with the password',
        async () => ({ localIp: address(), password: system.run.device.password }),
      ],
      [
        'on the LAN with the site token',
        async () => ({ localIp: address(), token: (await authorized()).token }),
      ],
      [
        'through the proxy',
        async () => {
          const auth = await authorized();
          return { token: auth.token, siteId: auth.site_id, siteKey: auth.site_key };
        },
      ],
    ])('the client streams %s', async (_name, options) => {
      const socket = await connect({ host: tlsHost, ...(await options()) });
      const seen = new Map<string, string>();
      socket.subscribeMetrics(({ topic, name }) => seen.set(topic, name));
      const ended = socket.listen();
      await expect.poll(() => seen.get('total/pv_power')).toBe('PV power');
      expect(seen.get('battery_1/state_of_charge')).toBe('State of charge');
      socket.close();
      await ended;
    });
  });

  describe('the npm package phoenix', () => {
    it.each(['/api', '/api/socket'])('the client joins, receives and writes on %s', async (path) => {
      const url = `${system.run.device.url.replace('http', 'ws')}${path}`;
      const socket = new PhoenixSocket(url, {
        transport: WebSocket,
        params: { password: system.run.device.password },
      });
      socket.connect();
      const channel = socket.channel('metrics', { topics: [{ topic: 'total/*' }] });
      const received: string[] = [];
      for (const event of ['system', 'definition', 'data', 'set_result']) {
        channel.on(event, () => {
          received.push(event);
        });
      }
      const joined = new Promise<string>((resolve) => {
        channel
          .join()
          .receive('ok', () => resolve('ok'))
          .receive('error', () => resolve('error'));
      });
      expect(await joined).toBe('ok');
      await expect.poll(() => received).toEqual(expect.arrayContaining(['system', 'definition', 'data']));
      channel.push('set', { topic: 'inverter_1/battery_reserve', value: '20' });
      await expect.poll(() => received).toContain('set_result');
      socket.disconnect();
    });
  });

  it('every frame that solar-assistant and phoenix exchange with a device is as /asyncapi.json describes it', async () => {
    await using recorder = await FrameRecorder.start(system.run.device.url);
    const { password } = system.run.device;

    const client = await connect({ host: recorder.address, localIp: recorder.address, password });
    const topics: string[] = [];
    client.subscribeMetrics(({ topic }) => topics.push(topic));
    const ended = client.listen();
    await expect.poll(() => topics).toContain('total/pv_power');
    client.close();
    await ended;

    const socket = new PhoenixSocket(`ws://${recorder.address}/api`, {
      transport: WebSocket,
      params: { password },
      heartbeatIntervalMs: 1_000,
    });
    socket.connect();
    const channel = socket.channel('metrics', { topics: [{ topic: 'total/*' }] });
    channel.join();
    channel.push('set', { topic: 'inverter_1/battery_reserve', value: '20' });
    const replies = await new Promise((resolve) => channel.on('set_result', resolve));
    expect(replies).toMatchObject({ result: 'ok' });
    const events = () => new Set(recorder.frames.map(eventOf));
    await expect.poll(() => [...events()]).toContain('heartbeat');
    channel.leave();
    await expect.poll(() => [...events()]).toContain('phx_leave');
    socket.disconnect();

    expect([...events()].toSorted()).toEqual([
      'data',
      'definition',
      'heartbeat',
      'phx_join',
      'phx_leave',
      'phx_reply',
      'set',
      'set_result',
      'system',
    ]);
    const document = (await (await fetch(`${system.run.device.url}/asyncapi.json`)).json()) as StreamDocument;
    const { schemas, messages } = document.components;
    const inPlace = Object.values(messages).map(({ name, payload }) => ({
      name,
      payload: resolvedSchema(payload, schemas) as object,
    }));
    for (const frame of recorder.frames) {
      const described = inPlace.filter(({ name }) => name === eventOf(frame));
      expect(described.map(({ payload }) => Compile(payload).Errors(frame))).toEqual([[true, []]]);
    }
  });
}

interface StreamDocument {
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly messages: Readonly<Record<string, { name: string; payload: object }>>;
  };
}

/** The event of a frame in either framing. */
function eventOf(frame: unknown): unknown {
  return Array.isArray(frame) ? frame[3] : (frame as { readonly event: unknown }).event;
}
