import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { callDevice } from './site-calls.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** In place of a proxy: it answers every site as the test requires. */
let proxy: Server;
let answer: Handler;
beforeAll(async () => {
  proxy = inPieces(createServer((request, response) => answer(request, response))).listen(0, '127.0.0.1');
  // Longer than a test takes on a busy machine.
  proxy.keepAliveTimeout = 60_000;
  await once(proxy, 'listening');
});
afterAll(() => {
  proxy?.closeAllConnections();
  proxy?.close();
});

const hostOfProxy = () => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const sending =
  (body: unknown, status = 200): Handler =>
  (_request, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const result = (content: object) => ({ jsonrpc: '2.0', id: 1, result: content });

describe('callDevice', () => {
  const target = () => ({ proxyUrl: `http://${hostOfProxy()}`, siteId: 1, siteKey: 'key', token: 'token' });
  const way = (proxyUrl?: string) => ({
    target: { ...target(), ...(proxyUrl !== undefined && { proxyUrl }) },
    name: 'home',
    lastSeenAt: '2026-06-21T09:00:00.000Z',
    newestValues: null,
  });

  const offline = 'The site is offline; it was last seen at 2026-06-21T09:00:00.000Z';
  it.each<[string, unknown, number, string, string]>([
    ['502', '', 502, 'offline', offline],
    ['503', '', 503, 'offline', offline],
    ['504', '', 504, 'offline', offline],
    ['software without tools', '', 404, 'outdated', 'needs an update'],
    ['too much at once', '', 429, 'busy', 'try again later'],
    ['any other refusal', '', 500, 'failed', 'HTTP 500'],
    ['a redirect', '', 302, 'failed', 'HTTP 302'],
    ['no JSON', '<html>', 200, 'failed', 'unreadable'],
    ['other JSON', { result: 7 }, 200, 'failed', 'unreadable'],
    [
      'a tool it does not have',
      { error: { code: -32602, message: 'x' } },
      200,
      'outdated',
      'needs an update',
    ],
    [
      'an error',
      { error: { code: -32603, message: 'secret' } },
      200,
      'failed',
      'The tool failed at the site',
    ],
    ['text alone', result({ content: [{ type: 'text', text: '{}' }] }), 200, 'outdated', 'needs an update'],
    [
      'a refusal of the tool',
      result({ isError: true, content: [{ type: 'text', text: 'There is no topic x' }] }),
      200,
      'failed',
      'There is no topic x',
    ],
    ['a refusal without words', result({ isError: true }), 200, 'failed', 'refused without saying why'],
    ['more than a device may send', ' '.repeat(1_100_000), 200, 'failed', 'too large'],
  ])('the answer "%s" becomes a SiteFailure with its reason', async (_what, body, status, reason, text) => {
    answer = sending(body, status);
    const failure = callDevice(way(), 'status', {});
    await expect(failure).rejects.toMatchObject({ reason, message: expect.stringContaining(text) });
  });

  it('the message of a refusal is truncated', async () => {
    answer = sending(result({ isError: true, content: [{ text: 'x'.repeat(50_000) }] }));
    const error: unknown = await callDevice(way(), 'status', {}).catch((thrown: unknown) => thrown);
    expect(String(error).length).toBeLessThan(2_100);
  });

  it('a site that does not answer in time, or stops midway, is busy', async () => {
    const late = { reason: 'busy', message: expect.stringContaining('did not answer in time') };
    answer = () => undefined;
    await expect(callDevice(way(), 'status', {}, 300)).rejects.toMatchObject(late);
    answer = (_request, response) => void response.writeHead(200).write('{');
    await expect(callDevice(way(), 'status', {}, 300)).rejects.toMatchObject(late);
  });

  it('the call is repeated once when a pooled connection was closed', async () => {
    let count = 0;
    answer = (request, response) => {
      count += 1;
      if (count === 1) request.socket.destroy();
      else sending(result({ content: [], structuredContent: { a: 1 } }))(request, response);
    };
    expect(await callDevice(way(), 'status', {})).toEqual({ a: 1 });
    answer = (request) => request.socket.destroy();
    await expect(callDevice(way(), 'status', {})).rejects.toMatchObject({ reason: 'offline' });
  });

  it('a site without a reachable proxy is offline', async () => {
    const gone = way('http://127.0.0.1:1');
    await expect(callDevice(gone, 'status', {})).rejects.toMatchObject({
      reason: 'offline',
      message: offline,
    });
    const never = { target: undefined, name: null, lastSeenAt: null, newestValues: null };
    await expect(callDevice(never, 'status', {})).rejects.toThrow('The site is offline; it was never seen');
  });
});

describe('site tools', () => {
  let cloud: TestCloud;
  let owner: TestUser;
  beforeAll(async () => {
    cloud = await startTestCloud();
    owner = await cloud.make.user();
    await cloud.announce('us-1', { host: hostOfProxy(), url: `http://${hostOfProxy()}` });
  });
  afterAll(() => cloud?.[Symbol.asyncDispose]());

  async function call(name: string, given: object, token = owner.token) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const { body: answered } = await cloud.call<{
      result: { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };
    }>('POST /mcp', { token, body });
    return answered.result;
  }

  it('the device receives the name of its own tool and a read-only token, whatever the rights of the caller', async () => {
    const { id } = await cloud.make.site({ ownerId: owner.id });
    let received: { headers: IncomingMessage['headers']; url: string | undefined; body: unknown } | undefined;
    const metrics = { total: 0, metrics: [], next: null, unmatched: ['x'] };
    answer = async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { headers, url } = request;
      received = { headers, url, body: JSON.parse(Buffer.concat(chunks).toString()) };
      response.end(JSON.stringify(result({ content: [], structuredContent: metrics })));
    };
    const { structuredContent } = await call('site_get_metrics', { site_id: id, topics: ['x'] });
    expect(structuredContent).toEqual(metrics);
    expect(received).toMatchObject({
      url: '/api/v1/mcp',
      headers: { 'site-id': String(id), 'site-key': expect.any(String) },
      body: { method: 'tools/call', params: { name: 'get_metrics', arguments: { topics: ['x'] } } },
    });
    const token = String(received?.headers.authorization).replace('Bearer ', '');
    expect(decodeJwt(token)).toMatchObject({ site: id, access: 'read' });
    // Read-only calls are not recorded.
    const records = await cloud.db
      .selectFrom('audit_events')
      .select('action')
      .where('site_id', '=', id)
      .execute();
    expect(records).toEqual([]);
  });

  it('an answer that violates the schema becomes a failure, because agents validate it', async () => {
    const { id } = await cloud.make.site({ ownerId: owner.id });
    answer = sending(result({ content: [], structuredContent: { of: 'another version' } }));
    const refused = await call('site_status', { site_id: id });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('another version') }],
    });
  });

  it('an answer of a newer device with words that the cloud does not know is passed on and compared', async () => {
    const { id } = await cloud.make.site({ ownerId: owner.id });
    const counted = {
      ...{ since: '2026-11-28T00:00:00+01:00', pv_kwh: 8, load_kwh: 6, battery_in_kwh: 2 },
      ...{ battery_out_kwh: 1, grid_in_kwh: 0, grid_out_kwh: 1 },
    };
    const problem = { device: 'inverter_1', kind: 'arc', since: null, text: 'Arc on string 2', topics: [] };
    const battery = {
      ...{ state_of_charge_percent: 81, state: 'balancing' },
      ...{ power_w: 10, voltage_v: 52.1, temperature_c: 21 },
    };
    const flows = { pv_w: 900, load_w: 400, grid_w: -500, battery_w: 10, generator_w: null };
    const status = {
      site_id: id,
      ...{ time: '2026-11-28T12:00:00+01:00', time_zone: 'Europe/Berlin', read_at: null },
      running_since: '2026-11-01T12:00:00+01:00',
      flows: { ...flows, grid: 'islanded' },
      energy: { today: counted, period: { ...counted, name: 'yearly' } },
      ...{ battery, inverters: [], batteries: [], others: [], units_left_out: 0 },
      problems: [problem],
    };
    answer = sending(result({ content: [], structuredContent: status }));
    expect((await call('site_status', { site_id: id })).structuredContent).toEqual(status);
    expect((await call('compare_sites', { site_ids: [id] })).structuredContent).toMatchObject({
      sites: [{ answered: true, battery_percent: 81, problems: ['Arc on string 2'] }],
    });
  });

  it('a site that there is not is not found', async () => {
    expect((await call('site_status', { site_id: 999_999 })).content[0]?.text).toContain('find_sites');
  });

  it('the site of another account is never called', async () => {
    const { id } = await cloud.make.site();
    answer = () => expect.unreachable();
    const refused = await call('site_status', { site_id: id });
    expect(refused.content[0]?.text).toBe(
      `There is no site ${id} that this token sees: find_sites lists those there are`,
    );
    const compared = await call('compare_sites', { site_ids: [id] });
    expect(compared.structuredContent).toMatchObject({
      sites: [{ site_id: id, name: null, answered: false }],
    });
  });

  it('an offline site is a row with a reason', async () => {
    const { id, name } = await cloud.make.site({ ownerId: owner.id });
    answer = sending('', 503);
    expect((await call('compare_sites', { site_ids: [id] })).structuredContent).toEqual({
      sites: [
        expect.objectContaining({
          site_id: id,
          name,
          answered: false,
          reason: 'The site is offline; it was never seen',
          battery_percent: null,
          problem_count: null,
          problems: [],
        }),
      ],
    });
  });

  it('a token of one site reaches that site alone', async () => {
    const { id } = await cloud.make.site({ ownerId: owner.id });
    const { id: other } = await cloud.make.site({ ownerId: owner.id });
    const token = await cloud.make.token(owner.id, { scopes: ['sites:read_single'], siteId: id });
    answer = sending('', 503);
    expect((await call('site_status', { site_id: id }, token)).content[0]?.text).toContain('offline');
    expect((await call('site_status', { site_id: other }, token)).content[0]?.text).toContain('no site');
  });
});
