import { once } from 'node:events';
import { Factory, openDatabase } from '@heliograph/cloud/testing';
import type { DeviceSupport, RecoveryEvent, RecoverySession, SiteAuthorization } from '@heliograph/contracts';
import { systemClock } from '@heliograph/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';

/** A loaded machine takes longer than the seconds that proxies and devices take. */
const PATIENCE = { timeout: 90_000, interval: 100 };
const TIMEOUT_MS = 240_000;

let system: TestSystem;
let make: Factory;
let owner: string;
let operator: string;
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  system = await startTestSystem();
  undo.defer(() => system.stop());
  const { db, close } = openDatabase(system.run.cloud.database_url, () => undefined);
  undo.defer(() => close());
  make = new Factory(db, systemClock);
  const account = db.selectFrom('users').select('id').where('email', '=', system.run.account.email);
  owner = await make.token((await account.executeTakeFirstOrThrow()).id, { kind: 'session' });
  operator = (await make.user({ staff: true, firstName: 'Grace', lastName: 'Hopper' })).token;
});
afterAll(() => undo.disposeAsync());

async function call<Body = object>(route: string, token: string, body?: object) {
  const [method = '', path = ''] = route.split(' ');
  const answer = await fetch(`${system.run.cloud.url}/api/v1/sites/${system.run.site.id}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Body };
}

const show = async (id: number) => (await call<RecoverySession>(`GET /recovery_sessions/${id}`, owner)).body;
const endInCloud = (id: number) => call(`DELETE /recovery_sessions/${id}`, owner);
const join = () => call<SiteAuthorization>('POST /authorize?roles=recovery', operator);

afterEach(async () => {
  const { body } = await call<RecoverySession[]>('GET /recovery_sessions', owner);
  for (const { id } of body) await endInCloud(id);
});

/** Support asks, the owner approves, support joins. */
async function letIn(
  access: RecoverySession['access'],
): Promise<{ id: number; credentials: SiteAuthorization }> {
  const reason = 'The battery does not charge.';
  const { status, body } = await call<RecoverySession>('POST /recovery_sessions', operator, {
    reason,
    access,
  });
  expect([status, body.state]).toEqual([201, 'requested']);
  const approved = await call<RecoverySession>(`POST /recovery_sessions/${body.id}/approve`, owner, {
    access,
  });
  expect([approved.status, approved.body.state]).toEqual([200, 'active']);
  return { id: body.id, credentials: (await join()).body };
}

type Via = 'proxy' | 'lan';

function endpointOf(via: Via, { host, token, site_id, site_key }: SiteAuthorization) {
  return {
    url: via === 'proxy' ? `http://${host}` : system.run.device.url,
    headers: { authorization: `Bearer ${token}`, 'site-id': `${site_id}`, 'site-key': site_key },
  };
}

async function request(route: string, credentials: SiteAuthorization, via: Via = 'proxy', body?: object) {
  const [method = '', path = ''] = route.split(' ');
  const { url, headers } = endpointOf(via, credentials);
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

const METRICS = 'GET /api/v1/metrics?topic=total/*';

/** A request of the home, with the device password. */
const atHome = (method: string, path: string, body?: object) =>
  fetch(system.run.device.url + path, {
    method,
    headers: {
      authorization: `Basic ${btoa(`admin:${system.run.device.password}`)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** @returns settles when the stream, which has brought values, is closed */
async function openStream(credentials: SiteAuthorization): Promise<{ closed: Promise<unknown> }> {
  const { url, headers } = endpointOf('proxy', credentials);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/websocket?vsn=2.0.0`, { headers });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'open');
  socket.send('["1","1","metrics","phx_join",{"topics":[{"topic":"total/*"}]}]');
  await once(socket, 'message');
  return { closed };
}

describe('a support session through the whole system', { timeout: TIMEOUT_MS }, () => {
  it('support reads as approved, and an end in the cloud closes its stream and refuses its token', async () => {
    const { id, credentials } = await letIn('diagnose');
    expect((await request(METRICS, credentials)).status).toBe(200);
    expect((await request(METRICS, credentials, 'lan')).status).toBe(401);
    expect((await request('GET /api/v1/configuration', credentials)).status).toBe(200);
    expect((await request('PATCH /api/v1/configuration', credentials, 'proxy', {})).status).toBe(403);

    const { closed } = await openStream(credentials);
    expect((await endInCloud(id)).status).toBe(204);
    await closed;
    await expect.poll(async () => (await request(METRICS, credentials)).status, PATIENCE).toBe(401);
    expect((await join()).status).toBe(403);
    expect(await show(id)).toMatchObject({
      state: 'ended',
      end_reason: 'owner',
      participants: [{ name: 'Grace Hopper' }],
    });
  });

  it('a write of support is in the log of the device by its name, and in the list of the owner', async () => {
    const { id, credentials } = await letIn('settings');
    const body = { topic: 'inverter_1/battery_reserve', value: '25' };
    const written = await request('POST /api/v1/metrics', credentials, 'proxy', body);
    expect(written).toMatchObject({ status: 200 });
    const log = (await (await atHome('GET', '/api/v1/settings/log')).json()) as readonly object[];
    expect(log[0]).toMatchObject({ author: `support: Grace Hopper, session ${id}`, via: 'proxy' });
    await expect.poll(async () => (await show(id)).changes, PATIENCE).toBe(1);
    const events = await call<RecoveryEvent[]>(`GET /recovery_sessions/${id}/events`, owner);
    expect(events.body).toMatchObject([
      {
        kind: 'setting_written',
        subject: 'inverter_1/battery_reserve = 25',
        user: { name: 'Grace Hopper' },
        succeeded: true,
      },
      { kind: 'joined' },
    ]);
    await endInCloud(id);
  });

  it('an end on the device works while the cloud is stopped, which learns it later', async () => {
    const { id, credentials } = await letIn('repair');
    const { closed } = await openStream(credentials);
    const shown = async () => {
      const { sessions } = (await (await atHome('GET', '/api/v1/support')).json()) as DeviceSupport;
      return sessions;
    };
    // It forgets those before as soon as it has called the cloud.
    await expect.poll(async () => (await shown()).length, PATIENCE).toBe(1);
    expect(await shown()).toMatchObject([{ id, access: 'repair', people: ['Grace Hopper'], firm: null }]);
    system.parts.cloud.kill('SIGSTOP');
    try {
      expect((await atHome('DELETE', `/api/v1/support/sessions/${id}`)).status).toBe(204);
      await closed;
      expect((await request(METRICS, credentials)).status).toBe(401);
    } finally {
      system.parts.cloud.kill('SIGCONT');
    }
    await expect.poll(async () => (await show(id)).end_reason, PATIENCE).toBe('device');
  });

  it('a device that never lets support in refuses an open session, and the cloud opens none', async () => {
    const { id, credentials } = await letIn('diagnose');
    await atHome('PATCH', '/api/v1/support', { access: 'never' });
    expect((await request(METRICS, credentials)).status).toBe(401);
    await endInCloud(id);
    // By the owner, as requests of support have a limit; the device reports its setting within a minute.
    const open = async () => {
      const answer = await call<RecoverySession>('POST /recovery_sessions', owner, {
        reason: 'The battery does not charge.',
        party: 'operator',
      });
      if (answer.status === 201) await endInCloud(answer.body.id);
      return answer.status;
    };
    await expect.poll(open, { ...PATIENCE, interval: 1_000 }).toBe(422);
    await atHome('PATCH', '/api/v1/support', { access: 'ask' });
  });
});
