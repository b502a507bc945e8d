import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tracingLogger } from '../../../test/tracing-logger.ts';
import { OPERATOR } from '../../access/caller.ts';
import {
  addProxyCredential,
  listProxyCredentials,
  revokeProxyCredentials,
  rotateProxyCredential,
} from './credentials.ts';
import { WRONG_PROXY_CREDENTIALS } from './limits.ts';

const { logger, lines } = tracingLogger();
let cloud: TestCloud;
let name: string;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud({}, logger);
});
beforeEach(() => {
  name = `eu-${++count}`;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const FROM = '192.0.2.7';

const bodyOf = (host: string) => ({ host, url: `https://${host}`, region: 'eu', sessions: [] });

function announce(token: string | undefined, as = name, from?: string): Promise<Answer> {
  const body = bodyOf(`${as}.example.org`);
  return cloud.call(`PUT /api/v1/proxies/${as}`, { token, body, ...(from !== undefined && { from }) });
}

const stored = async (proxy: string) =>
  (await cloud.db.selectFrom('proxies').select('host').where('name', '=', proxy).executeTakeFirst())?.host;

describe('the credential of a proxy', () => {
  it('a credential has a prefix, is shown once, and is stored as a digest', async () => {
    const { credential } = await addProxyCredential(cloud, OPERATOR, name);
    expect(credential).toMatch(/^hgp_[\w-]{43}$/);
    const rows = await cloud.db.selectFrom('proxy_credentials').selectAll().execute();
    const audit = await cloud.db.selectFrom('audit_events').selectAll().execute();
    expect(JSON.stringify([rows, audit])).not.toContain(credential);
    expect((await announce(credential)).status).toBe(200);
    expect((await announce(`${credential}x`)).status).toBe(401);
    expect(lines.join('')).not.toContain('hgp_');
  });

  it('a credential of one proxy is refused for another', async () => {
    const { credential } = await addProxyCredential(cloud, OPERATOR, name);
    const other = `${name}-other`;
    await cloud.announce(other, { run: 'first', sequence: 1 });
    const refused = {
      status: 403,
      body: { error: `The credential is for the proxy ${name}, and for no other` },
    };
    const evil = bodyOf('evil.example.org');
    const change = { run: 'first', sequence: 2, draining: true, removed: [], added: [] };
    const site = await cloud.make.site({ name: `Meadow ${name}` });
    for (const [route, body] of [
      [`PUT /api/v1/proxies/${other}`, evil],
      [`PATCH /api/v1/proxies/${other}`, change],
      [`PUT /api/v1/proxies/${name}-new`, evil],
      [`GET /api/v1/proxies/${other}/sites/${site.id}`],
      [`GET /api/v1/proxies/${other}/site_names/meadow`],
    ] as const) {
      expect(await cloud.call(route, { token: credential, body })).toMatchObject(refused);
    }
    expect(await stored(other)).toBe(`${other}.example.org`);
    expect(await stored(`${name}-new`)).toBeUndefined();
  });

  it('a credential is no token of the API, and no token of the API is a credential', async () => {
    const { credential } = await addProxyCredential(cloud, OPERATOR, name);
    expect((await cloud.call('GET /api/v1/sites', { token: credential })).status).toBe(401);
    const { token } = await cloud.make.user({ staff: true });
    for (const wrong of [undefined, token, 'nonsense', `hgp_${'x'.repeat(43)}`, credential.slice(0, -1)]) {
      expect((await announce(wrong)).status).toBe(401);
    }
    expect(await stored(name)).toBeUndefined();
  });

  it('a revoked credential is refused and the other one of the proxy stays valid', async () => {
    const first = await addProxyCredential(cloud, OPERATOR, name);
    const second = await rotateProxyCredential(cloud, OPERATOR, name);
    for (const { credential } of [first, second]) expect((await announce(credential)).status).toBe(200);
    await revokeProxyCredentials(cloud, OPERATOR, name, first.id);
    expect(await announce(first.credential)).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining('revoked') },
    });
    expect((await announce(second.credential)).status).toBe(200);
  });

  it('the time and address of the last use are stored', async () => {
    const { credential, id } = await addProxyCredential(cloud, OPERATOR, name);
    await announce(credential, name, FROM);
    const usedAt = new Date(cloud.clock.now());
    expect(await listProxyCredentials(cloud.db, name)).toMatchObject([
      { id, lastUsedAt: usedAt, lastUsedFrom: FROM },
    ]);
    cloud.clock.advance(1_000);
    await announce(credential, name, '192.0.2.8');
    expect(await listProxyCredentials(cloud.db, name)).toMatchObject([{ lastUsedFrom: '192.0.2.8' }]);
    cloud.clock.advance(10 * 60_000);
    await announce(credential, name, '192.0.2.8');
    expect(await listProxyCredentials(cloud.db, name)).toMatchObject([
      { lastUsedAt: new Date(cloud.clock.now()) },
    ]);
  });

  it('wrong credentials are limited for each network, valid ones are not', async () => {
    const { credential } = await addProxyCredential(cloud, OPERATOR, name);
    const from = '198.51.100.9';
    for (let tries = 0; tries < WRONG_PROXY_CREDENTIALS.points; tries++) {
      expect((await announce(`hgp_${'x'.repeat(43)}`, name, from)).status).toBe(401);
    }
    const refused = await announce(`hgp_${'x'.repeat(43)}`, name, from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await announce(credential, name, from)).status).toBe(200);
  });
});

it('a proxy has two credentials at most under concurrent rotation', async () => {
  await addProxyCredential(cloud, OPERATOR, name);
  await expect(addProxyCredential(cloud, OPERATOR, name)).rejects.toThrow('rotate');
  const made = await Promise.allSettled([1, 2].map(() => rotateProxyCredential(cloud, OPERATOR, name)));
  expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await expect(rotateProxyCredential(cloud, OPERATOR, name)).rejects.toThrow('revoke one');
  expect(await listProxyCredentials(cloud.db, name)).toHaveLength(2);
});

it('a proxy without a credential holds no device and gets none after a second', async () => {
  const owner = await cloud.make.user();
  const site = await cloud.make.site({ ownerId: owner.id });
  const { credential } = await addProxyCredential(cloud, OPERATOR, name);
  const sessions = [{ uid: site.uid, site_id: site.id }];
  await cloud.assign(name, [site.uid]);
  const body = { ...bodyOf(`${name}.example.org`), region: 'only', sessions };
  const announced = () => cloud.call(`PUT /api/v1/proxies/${name}`, { token: credential, body });
  expect((await announced()).status).toBe(200);
  const hostFor = async () =>
    (await cloud.call(`POST /api/v1/sites/${site.id}/authorize`, { token: owner.token })).body.host;
  expect(await hostFor()).toBe(`${name}.example.org`);

  await revokeProxyCredentials(cloud, OPERATOR, name);
  expect((await announced()).status).toBe(401);
  cloud.clock.advance(1_000);
  expect(await hostFor()).not.toBe(`${name}.example.org`);
  const { body: found } = await cloud.call('GET /api/v1/sites?q=online:true', { token: owner.token });
  expect(found).toEqual([]);
});
