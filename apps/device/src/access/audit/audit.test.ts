import { type DeviceAuditEntry, DeviceAuditEntry as Schema } from '@heliograph/contracts';
import { ManualClock } from '@heliograph/kit';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SITE_ID, startTestCloud, type TestCloud } from '../../../test/cloud/uplink/test-cloud.ts';
import { Browser } from '../../../test/serve/api/browser.ts';
import { basic, PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';
import { startWholeDevice, type WholeDevice } from '../../../test/whole-device.ts';
import { ATTEMPT_WINDOW_MS, MAX_FAILED_ATTEMPTS } from '../attempt-limiter.ts';

const AUDIT = '/api/v1/audit';
const CONFIGURATION = '/api/v1/configuration';
const FILE = `mdns: false
mqtt:
  url: mqtt://127.0.0.1:1
  password: the old one
`;

describe('the audit log of a whole device', () => {
  let device: WholeDevice;
  beforeAll(async () => {
    device = await startWholeDevice(FILE);
  });
  afterAll(() => device.stop());

  /** Waits for a device that restarts. */
  const entries = (): Promise<DeviceAuditEntry[]> =>
    vi.waitFor(() => device.answer<DeviceAuditEntry[]>(AUDIT), { interval: 20, timeout: 30_000 });
  const newest = async (): Promise<DeviceAuditEntry | undefined> => (await entries())[0];
  const change = async (body: object): Promise<number> =>
    (await device.browser.send('PATCH', CONFIGURATION, body)).status;
  const inEffect = () =>
    expect
      .poll(() => device.answer(CONFIGURATION).catch(() => undefined), { interval: 20 })
      .toMatchObject({ taking_effect: false });

  it('the log records that the configured password became that of the device', async () => {
    const [first] = (await entries()).slice(-1);
    expect(first).toMatchObject({ action: 'password.set', author: 'device', via: 'device', address: null });
  });

  it('the log records the author, field, old and new value of a configuration change', async () => {
    expect(await change({ poll_interval_s: 1, mqtt: { allow_writes: true } })).toBe(200);
    const expected = {
      action: 'configuration.change',
      author: 'local',
      via: 'lan',
      address: '127.0.0.1',
      subject: null,
      changes: [
        { field: 'mqtt.allow_writes', old_value: null, new_value: 'true' },
        { field: 'poll_interval_s', old_value: null, new_value: '1' },
      ],
      outcome: 'ok',
    };
    expect(await newest()).toMatchObject(expected);
    await inEffect();
    expect(await newest()).toMatchObject(expected);
  });

  it('the log names another broker, and of its password only that it changed', async () => {
    const mqtt = { url: 'mqtt://127.0.0.1:2', password: 'the new one' };
    expect(await change({ mqtt })).toBe(200);
    expect((await newest())?.changes).toEqual([
      { field: 'mqtt.url', old_value: 'mqtt://127.0.0.1:1', new_value: 'mqtt://127.0.0.1:2' },
      { field: 'mqtt.password', old_value: null, new_value: 'changed' },
    ]);
    expect(JSON.stringify(await entries())).not.toMatch(/the (?:old|new) one/);
    await inEffect();
  });

  it('the log has no entry of a change that was refused, or that changed nothing', async () => {
    const before = await newest();
    expect(await change({ energy_period: 'yearly' })).toBe(422);
    expect(await change({ poll_interval_s: 1 })).toBe(200);
    expect(await newest()).toEqual(before);
  });

  it('the log records that a change was taken back, with the reason', async () => {
    device.breakNextStart(new Error('there is a stone in the way'));
    expect(await change({ energy_period: 'monthly' })).toBe(200);
    await expect
      .poll(() => newest().catch(() => undefined), { interval: 20 })
      .toMatchObject({
        action: 'configuration.revert',
        author: 'device',
        subject: 'there is a stone in the way',
      });
    expect(await change({ energy_period: 'daily' })).toBe(200);
    await inEffect();
    expect(await newest()).toMatchObject({ action: 'configuration.change' });
  });

  it('the log records the address of a probe, and its outcome', async () => {
    const bus = 'modbus-tcp://127.0.0.1:1';
    await device.browser.send('POST', '/api/v1/probe', { bus, driver: 'sunspec', unit: 3 });
    await expect.poll(async () => (await newest())?.outcome, { interval: 20 }).toBe('not found');
    expect(await newest()).toMatchObject({
      action: 'probe',
      author: 'local',
      via: 'lan',
      subject: `${bus}, sunspec, unit 3`,
    });
  });

  it('the log records a change of the password, and a wrong password', async () => {
    const put = (current: string) =>
      device.browser.send('PUT', '/api/v1/password', { current, password: 'another password' });
    expect((await put('a guess')).status).toBe(422);
    expect((await put('a device password')).status).toBe(204);
    const [changed, failed] = await entries();
    expect(changed).toMatchObject({ action: 'password.change', author: 'local', address: '127.0.0.1' });
    expect(failed).toMatchObject({ action: 'sign_in.fail', author: 'unknown', address: '127.0.0.1' });
  });

  it('the log has the published form', async () => {
    expect(Value.Check(Type.Array(Schema), await entries())).toBe(true);
  });
});

describe('the audit log', () => {
  let cloud: TestCloud;
  let clock: ManualClock;
  let device: TestDevice;
  beforeEach(async () => {
    clock = new ManualClock(Date.now());
    cloud = await startTestCloud();
    device = await startTestDevice({ cloudUrl: cloud.url, clock });
    device.access.site.set(SITE_ID);
  });
  afterEach(async () => {
    await device.stop();
    await cloud.stop();
  });

  const read = async (query = '', headers = {}) => {
    const answer = await device.fetch(AUDIT + query, { headers });
    return { status: answer.status, body: (await answer.json()) as DeviceAuditEntry[] };
  };
  const actions = () => device.auditLog.recent(10_000).map(({ action }) => action);

  it('the log has one entry of the wrong passwords of an address a minute, and one of its lockout', async () => {
    const browser = new Browser(device.api.url);
    const attempt = (n: number) => browser.send('POST', '/api/v1/session', { password: `wrong ${n}` });
    for (let n = 0; n < MAX_FAILED_ATTEMPTS; n++) expect((await attempt(n)).status).toBe(401);
    expect((await attempt(MAX_FAILED_ATTEMPTS)).status).toBe(429);
    expect(actions()).toEqual(['sign_in.lockout', 'sign_in.fail']);
    expect(device.auditLog.recent(1)[0]).toMatchObject({
      author: 'unknown',
      via: 'lan',
      address: '127.0.0.1',
    });
    clock.advance(ATTEMPT_WINDOW_MS);
    await attempt(0);
    expect(actions()).toEqual(['sign_in.fail', 'sign_in.lockout', 'sign_in.fail']);
  });

  it('the log has a wrong password however it was sent', async () => {
    const { status } = await device.fetch('/api/v1/metrics', {
      headers: { authorization: basic('wrong', 'admin') },
    });
    expect([status, actions()]).toEqual([401, ['sign_in.fail']]);
  });

  it('the log records the address that set the first password', async () => {
    const fresh = await startTestDevice({ password: null });
    const browser = new Browser(fresh.api.url);
    expect((await browser.send('POST', '/api/v1/password', { password: PASSWORD })).status).toBe(204);
    expect(fresh.auditLog.recent(10)).toMatchObject([
      { action: 'password.set', author: 'local', via: 'lan', address: '127.0.0.1', outcome: 'ok' },
    ]);
    await fresh.stop();
  });

  it('the log is read page by page', async () => {
    const actor = { name: 'local', via: 'lan', address: '192.168.1.2' };
    for (let n = 1; n <= 5; n++) device.audit.record('probe', actor, { subject: `bus ${n}` });
    const first = await read('?limit=3');
    expect(first.body.map(({ subject }) => subject)).toEqual(['bus 5', 'bus 4', 'bus 3']);
    const second = await read(`?limit=3&before=${first.body.at(-1)?.id}`);
    expect(second.body.map(({ subject }) => subject)).toEqual(['bus 2', 'bus 1']);
  });

  it('the log is for callers that may configure the device', async () => {
    const bearer = async (access: 'read' | 'write', mayConfigure: boolean) => ({
      authorization: `Bearer ${await cloud.siteToken({ access, mayConfigure })}`,
    });
    expect((await read('', await bearer('write', true))).status).toBe(200);
    expect((await read('', await bearer('write', false))).status).toBe(403);
    expect((await read('', await bearer('read', false))).status).toBe(403);
    expect((await read('', { authorization: '' })).status).toBe(401);
  });

  it('the log keeps the newest thousand of each action, so that wrong passwords displace no change', async () => {
    const actor = { name: 'unknown', via: 'lan', address: '192.168.1.2' };
    device.audit.record('configuration.change', actor, { subject: 'kept' });
    for (let n = 0; n < 1_005; n++) device.audit.record('sign_in.fail', actor, { subject: String(n) });
    const all = device.auditLog.recent(10_000);
    expect(all).toHaveLength(1_001);
    expect([all.at(-1)?.subject, all.at(-2)?.subject, all[0]?.subject]).toEqual(['kept', '5', '1004']);
  });
});
