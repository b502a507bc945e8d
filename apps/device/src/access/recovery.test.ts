import { deviceOperations } from '@heliograph/contracts/operations/device';
import { ManualClock } from '@heliograph/kit';
import type { RecoveryAccess, RecoveryClaim } from '@heliograph/wire';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SITE_ID, startTestCloud, type TestCloud, USER_ID } from '../../test/cloud/uplink/test-cloud.ts';
import { startTestDevice, type TestDevice } from '../../test/serve/api/test-device.ts';
import { testPages, unused } from '../../test/serve/api/test-pages.ts';
import { startTestTunnel, type TestTunnel } from '../../test/serve/api/test-tunnel.ts';

const NOW = Date.parse('2026-06-21T10:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** None is needed: the rights of a session are checked before. */
const PAGES = testPages('https://cloud.example.org', {
  probes: { start: async () => 'probe', report: unused, cancel: unused },
  configuration: { get: unused, change: unused, keepDelegation: unused, endDelegation: unused },
  backups: {
    make: unused,
    upload: unused,
    restore: unused,
    restoreFromCloud: unused,
    cloud: {
      state: { enabled: false, storedAt: null, size: null, hasHistory: false, problem: null },
      enable: unused,
      disable: unused,
    },
  },
  startStore: unused,
  restart: unused,
});

let clock: ManualClock;
let cloud: TestCloud;
let device: TestDevice;
let tunnel: TestTunnel;

async function start(): Promise<void> {
  clock = new ManualClock(NOW);
  cloud = await startTestCloud();
  device = await startTestDevice({ cloudUrl: cloud.url, clock, pages: PAGES });
  device.access.site.set(SITE_ID);
  tunnel = await startTestTunnel(device.api.tunnel);
}

async function stop(): Promise<void> {
  tunnel.stop();
  await device.stop();
  await cloud.stop();
}

function tokenOf(access: RecoveryAccess, claim: Partial<RecoveryClaim> = {}): Promise<string> {
  const recovery = { sessionId: 12, access, name: 'Ada', firm: 'Sunny', until: NOW + HOUR_MS, ...claim };
  return cloud.siteToken({
    access: 'read',
    recovery,
    expiresAt: Math.min(NOW + 15 * MINUTE_MS, recovery.until),
    atMs: NOW,
  });
}

async function call(
  route: string,
  token: string,
  { url = tunnel.url, body }: { url?: string; body?: object } = {},
) {
  const [method = '', path = ''] = route.split(' ');
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'site-id': String(SITE_ID),
      'site-key': cloud.siteKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.text() };
}

const METRICS = 'GET /api/v1/metrics';

/** By hand, from the design: what each access allows beyond reading. */
const ALLOWED: Readonly<Record<RecoveryAccess, readonly string[]>> = {
  diagnose: ['getConfiguration', 'getDiagnostics', 'getLinks', 'listSettingWrites'],
  repair: ['changeConfiguration', 'startProbe', 'getProbe', 'cancelProbe', 'restartDevice'],
  settings: ['setMetric', 'removePassword'],
};

const LEVELS: readonly RecoveryAccess[] = ['diagnose', 'repair', 'settings'];
/** The one whose success changes what others may do comes last. */
const OPERATIONS = Object.values(deviceOperations).toSorted(
  (a, b) => Number(a.id === 'removePassword') - Number(b.id === 'removePassword'),
);
const CASES = LEVELS.flatMap((access) =>
  OPERATIONS.map((operation) => ({ id: operation.id, access, operation })),
);

describe('every operation, at one device', () => {
  beforeAll(start);
  afterAll(stop);

  it.each(CASES)('a session with $access uses $id only as far as approved', async ({ access, operation }) => {
    const { id, requires, route } = operation;
    const body = route.startsWith('GET ') ? {} : { body: {} };
    const { status } = await call(route.replace('{id}', '1'), await tokenOf(access), body);
    const granted = LEVELS.slice(0, LEVELS.indexOf(access) + 1).flatMap((level) => ALLOWED[level]);
    const isOpen = requires === 'nothing' || requires === 'read' || granted.includes(id);
    expect([401, 403].includes(status)).toBe(!isOpen);
  });
});

describe('a token of a support session', () => {
  beforeEach(start);
  afterEach(stop);

  it('a token is refused on the LAN, and good through the tunnel', async () => {
    const token = await tokenOf('repair');
    expect((await call(METRICS, token, { url: device.api.url })).status).toBe(401);
    expect((await call(METRICS, token)).status).toBe(200);
  });

  it('the logs name the person and the session, and the owner reads what was done', async () => {
    const token = await tokenOf('settings');
    await call('GET /api/v1/settings/log', token);
    await call('GET /api/v1/settings/log', token);
    await call('POST /api/v1/probe', token, { body: {} });
    await call('POST /api/v1/password', token, { body: {} });
    await call('DELETE /api/v1/password', token);
    expect(device.access.support.report()).toMatchObject({
      access: 'ask',
      ended: [],
      events: [
        { session_id: 12, user_id: USER_ID, kind: 'settings_log_read', succeeded: true },
        { kind: 'probe_started', subject: null, succeeded: true },
        { kind: 'password_removed', succeeded: true },
      ],
    });
    expect(device.auditLog.recent(1)).toMatchObject([
      { action: 'password.remove', author: 'support: Ada, session 12', via: 'proxy' },
    ]);
  });

  it('support that removed the password goes on as far as approved, and no other caller before there is another one', async () => {
    const [token, ordinary] = [await tokenOf('settings'), await cloud.siteToken({ atMs: NOW })];
    expect((await call('DELETE /api/v1/password', token)).status).toBe(204);
    expect((await call(METRICS, token)).status).toBe(200);
    expect((await call('GET /api/v1/settings/log', token)).status).toBe(200);
    expect((await call('POST /api/v1/metrics', token, { body: {} })).status).toBe(400);
    expect((await call(METRICS, await tokenOf('diagnose', { sessionId: 13 }))).status).toBe(200);
    expect((await call(METRICS, ordinary)).status).toBe(403);
    expect((await call(METRICS, token, { url: device.api.url })).status).toBe(403);
    const session = await call('GET /api/v1/session', token);
    expect(JSON.parse(session.body)).toMatchObject({
      has_password: false,
      signed_in: true,
      recovery: { session_id: 12, access: 'settings', expires_in: 15 * 60 },
    });
    device.access.support.end(12);
    expect((await call(METRICS, token)).status).toBe(401);
  });

  it('a token is refused once its session is over by the clock of the device', async () => {
    const token = await tokenOf('diagnose', { until: NOW + MINUTE_MS });
    expect((await call(METRICS, token)).status).toBe(200);
    clock.advance(MINUTE_MS);
    expect((await call(METRICS, token)).status).toBe(401);
  });

  it('a revocation of the session covers its tokens and no others of the person, and leads its page to the cloud', async () => {
    const [recovery, ordinary] = [await tokenOf('diagnose'), await cloud.siteToken({ atMs: NOW })];
    const revoked_at = new Date(NOW + 1).toISOString();
    device.access.revocations.learn(SITE_ID, [{ subject: 'recovery:12', revoked_at }]);
    expect([(await call(METRICS, recovery)).status, (await call(METRICS, ordinary)).status]).toEqual([
      401, 200,
    ]);
    expect(JSON.parse((await call('GET /api/v1/session', recovery)).body)).toMatchObject({
      signed_in: false,
      support_url: `https://cloud.example.org/sites/${SITE_ID}/support`,
    });
  });
});

describe('the device itself', () => {
  beforeEach(start);
  afterEach(stop);

  const support = async () => (await (await device.fetch('/api/v1/support')).json()) as object;
  const end = (id: number) => device.fetch(`/api/v1/support/sessions/${id}`, { method: 'DELETE' });

  it('a session is shown from its first request, and ends here without the cloud', async () => {
    const token = await tokenOf('diagnose');
    expect(await support()).toEqual({ access: 'ask', sessions: [] });
    await call(METRICS, token);
    expect(await support()).toMatchObject({
      sessions: [{ id: 12, access: 'diagnose', firm: 'Sunny', people: ['Ada'], reason: null }],
    });
    await cloud.stop();
    expect((await end(12)).status).toBe(204);
    expect((await end(12)).status).toBe(404);
    expect((await call(METRICS, token)).status).toBe(401);
    expect((await call(METRICS, await tokenOf('repair', { until: NOW + 2 * HOUR_MS }))).status).toBe(401);
    expect(await support()).toMatchObject({ sessions: [] });
    expect(JSON.parse((await call('GET /api/v1/session', token)).body)).toMatchObject({
      signed_in: false,
      recovery: null,
      support_url: `https://cloud.example.org/sites/${SITE_ID}/support`,
    });
    const again = device.accessAnew().support;
    expect(again.report()).toMatchObject({ ended: [12] });
    expect(
      again.admits({ sessionId: 12, access: 'diagnose', name: '', firm: null, until: NOW + HOUR_MS }),
    ).toBe(false);
    cloud = await startTestCloud();
  });

  it('a caller of a session is no longer authorized once it is ended here', async () => {
    const credentials = { kind: 'token', token: await tokenOf('diagnose') } as const;
    const { siteKey } = cloud;
    const origin = { via: 'proxy', address: '', siteId: `${SITE_ID}`, siteKey, foreignPage: false } as const;
    const caller = await device.access.guard.admit(credentials, origin);
    expect(caller.isStillAuthorized()).toBe(true);
    await end(12);
    expect(caller.isStillAuthorized()).toBe(false);
  });

  it('a device that never lets support in refuses its tokens, and reports that', async () => {
    const token = await tokenOf('settings');
    const body = JSON.stringify({ access: 'never' });
    const headers = { 'content-type': 'application/json' };
    const changed = await device.fetch('/api/v1/support', { method: 'PATCH', headers, body });
    expect(await changed.json()).toMatchObject({ access: 'never' });
    expect((await call(METRICS, token)).status).toBe(401);
    expect(device.accessAnew().support.report()).toMatchObject({ access: 'never' });
  });

  it('the cloud takes ended sessions and events, and names the reason', async () => {
    await call('GET /api/v1/configuration', await tokenOf('diagnose'));
    const { support: sessions } = device.access;
    const report = sessions.report();
    expect(sessions.isReportDue).toBe(true);
    const session = {
      id: 12,
      access: 'diagnose',
      reason: 'No sun',
      firm: 'Sunny',
      expires_at: new Date(NOW + HOUR_MS).toISOString(),
    } as const;
    sessions.learn(report, { sessions: [session], received: report.events.map(({ id }) => id) });
    expect(sessions.isReportDue).toBe(false);
    expect(await support()).toMatchObject({ sessions: [{ reason: 'No sun', people: ['Ada'] }] });
    await end(12);
    sessions.learn(sessions.report(), { sessions: [session], received: [] });
    expect(sessions.isReportDue).toBe(true);
    sessions.learn(sessions.report(), { sessions: [], received: [] });
    expect(sessions.isReportDue).toBe(false);
    expect((await call(METRICS, await tokenOf('diagnose'))).status).toBe(401);
  });
});
