import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { generateSigningKey, SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SITE_ID, startTestCloud, type TestCloud, USER_ID } from '../../test/cloud/uplink/test-cloud.ts';
import { basic, PASSWORD, startTestDevice, type TestDevice } from '../../test/serve/api/test-device.ts';
import { type Access, createAccess } from './access.ts';
import { ATTEMPT_WINDOW_MS, MAX_FAILED_ATTEMPTS, MAX_FAILED_ATTEMPTS_OF_ALL } from './attempt-limiter.ts';
import { NO_PASSWORD } from './guard.ts';

const METRICS = '/api/v1/metrics';
const SETTING = 'inverter_1/max_charge_current';

let cloud: TestCloud;
let clock: ManualClock;
let device: TestDevice;

beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

beforeEach(async () => {
  clock = new ManualClock(Date.now());
  device = await startTestDevice({ cloudUrl: cloud.url, clock });
  device.access.site.set(SITE_ID);
});
afterEach(() => device.stop());

const read = (authorization: string | undefined, path = METRICS) =>
  fetch(device.api.url + path, { headers: authorization === undefined ? {} : { authorization } });

const write = (authorization: string) =>
  fetch(device.api.url + METRICS, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ topic: SETTING, value: '40' }),
  });

describe('the device password', () => {
  it.each(['admin', 'solar-assistant', '', 'anyone'])(
    'the password opens the API under the user name "%s"',
    async (user) => {
      expect((await read(basic(PASSWORD, user))).status).toBe(200);
    },
  );

  it.each([
    ['no credentials', undefined],
    ['a wrong password', basic('wrong', 'admin')],
    ['an empty password', basic('', 'admin')],
    ['the password as user name', basic('', PASSWORD)],
    ['a prefix of the password', basic(PASSWORD.slice(0, -1), 'admin')],
    ['another scheme', 'Digest username="admin"'],
    ['Basic without a colon', `Basic ${Buffer.from('admin').toString('base64')}`],
    ['Basic without anything', 'Basic'],
    ['Bearer with the password', `Bearer ${PASSWORD}`],
  ])('%s is answered 401', async (_what, authorization) => {
    const answer = await read(authorization);
    expect([answer.status, await answer.json()]).toEqual([401, { error: expect.any(String) }]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  });

  it('a client with the password may write, as local', async () => {
    expect((await write(basic(PASSWORD, 'admin'))).status).toBe(200);
    expect(device.settings.writes[0]?.author).toEqual({ name: 'local', via: 'lan' });
  });

  it('the password is required before the body is parsed', async () => {
    const body = '{"broken"';
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(device.api.url + METRICS, { method: 'POST', headers, body })).status).toBe(401);
  });

  it('the password is stored as an argon2id hash alone, at the cost that OWASP recommends', async () => {
    const { password } = createAccess({
      store: device.store,
      cloudUrl: undefined,
      clock,
      logger: silentLogger,
    });
    await password.set(PASSWORD);
    const stored = device.store.get('device_password_hash');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(stored).not.toContain(PASSWORD);
  });

  it('a configured password counts only when there is none yet', async () => {
    await device.access.password.setIfNone('another');
    expect((await read(basic('another', 'admin'))).status).toBe(401);
    expect((await read(basic(PASSWORD, 'admin'))).status).toBe(200);
  });

  it('the old password is refused as soon as it was replaced', async () => {
    expect((await read(basic(PASSWORD, 'admin'))).status).toBe(200);
    await device.access.password.set('new one');
    expect((await read(basic(PASSWORD, 'admin'))).status).toBe(401);
    expect((await read(basic('new one', 'admin'))).status).toBe(200);
  });

  it('a device without a password refuses every client: with a password, with a token, through the proxy', async () => {
    const fresh = await startTestDevice({ password: null, cloudUrl: cloud.url });
    fresh.access.site.set(SITE_ID);
    const authorizations = [basic('', 'admin'), `Bearer ${await cloud.siteToken()}`, ''];
    for (const authorization of authorizations) {
      const answer = await fetch(fresh.api.url + METRICS, { headers: { authorization } });
      expect([answer.status, await answer.json()]).toEqual([403, { error: NO_PASSWORD }]);
    }
    const origin = { address: '192.0.2.1', siteId: undefined, siteKey: undefined, foreignPage: false };
    for (const via of ['lan', 'proxy'] as const) {
      await expect(fresh.access.guard.admit(undefined, { ...origin, via })).rejects.toMatchObject({
        status: 403,
      });
    }
    await fresh.stop();
  });

  it('the password is the first of several that are set at once', async () => {
    const fresh = await startTestDevice({ password: null });
    const inputs = ['password-1', 'password-2', 'password-3'];
    const taken = await Promise.all(inputs.map((body) => fresh.access.password.setFirst(body)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    const winner = inputs[taken.indexOf(true)] ?? '';
    await expect(fresh.access.password.matches(winner, '192.0.2.1')).resolves.toBe(true);
    await expect(fresh.access.password.setFirst('password-4')).resolves.toBe(false);
    await fresh.stop();
  });
});

describe('the limit of wrong passwords', () => {
  const attempt = (n: number) => read(basic(`guess ${n}`, 'admin'));

  it('an address is refused after some wrong passwords, until their window has passed', async () => {
    for (let n = 0; n < MAX_FAILED_ATTEMPTS; n++) expect((await attempt(n)).status).toBe(401);
    const answer = await attempt(MAX_FAILED_ATTEMPTS);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await read(basic(PASSWORD, 'admin'))).status).toBe(429);
    clock.advance(ATTEMPT_WINDOW_MS);
    expect((await read(basic(PASSWORD, 'admin'))).status).toBe(200);
  });

  it('a client that repeats one wrong password does not lock out the others of its address', async () => {
    for (let n = 0; n < MAX_FAILED_ATTEMPTS; n++) expect((await attempt(0)).status).toBe(401);
    const answer = await attempt(0);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await read(basic(PASSWORD, 'admin'))).status).toBe(200);
    expect((await attempt(1)).status).toBe(401);
    clock.advance(ATTEMPT_WINDOW_MS);
    expect((await attempt(0)).status).toBe(401);
  });

  it('a password that was wrong opens the API once it is set', async () => {
    expect((await attempt(0)).status).toBe(401);
    await device.access.password.set('guess 0');
    expect((await attempt(0)).status).toBe(200);
  });

  it('a site token is accepted from an address that is refused for its wrong passwords', async () => {
    for (let n = 0; n <= MAX_FAILED_ATTEMPTS; n++) await attempt(n);
    expect((await read(basic(PASSWORD, 'admin'))).status).toBe(429);
    expect((await read(`Bearer ${await cloud.siteToken()}`)).status).toBe(200);
  });

  it.each([
    ['when the right one was never seen', () => restarted()],
    ['when the right one is known', () => device.access],
  ])('attempts sent all at once get no further, %s', async (_when, access) => {
    const { password } = access();
    const attempts = Array.from({ length: 40 }, (_, n) => password.matches(`guess ${n}`, '192.0.2.66'));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_FAILED_ATTEMPTS);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value)).toEqual([]);
  });

  it('an attacker does not shut out another address', async () => {
    const { password } = restarted();
    for (let n = 0; n < MAX_FAILED_ATTEMPTS; n++) await password.matches(`guess ${n}`, '192.0.2.66');
    await expect(password.matches(PASSWORD, '192.0.2.66')).rejects.toMatchObject({ status: 429 });
    await expect(password.matches(PASSWORD, '192.0.2.1')).resolves.toBe(true);
  });

  it('attempts from thousands of addresses get no further, and do not shut out known addresses', async () => {
    const { password } = device.access;
    await expect(password.matches(PASSWORD, '192.0.2.1')).resolves.toBe(true);
    const attempts = Array.from({ length: 5_000 }, (_, n) => password.matches(`guess ${n}`, `fd00::${n}`));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_FAILED_ATTEMPTS_OF_ALL);
    await expect(password.matches(PASSWORD, 'fd00::1:1')).rejects.toMatchObject({
      status: 429,
      retryAfterS: 60,
    });
    await expect(password.matches(PASSWORD, '192.0.2.1')).resolves.toBe(true);
    clock.advance(ATTEMPT_WINDOW_MS);
    await expect(password.matches(PASSWORD, 'fd00::1:1')).resolves.toBe(true);
  });

  it('many requests at once with the right password are not limited', async () => {
    const { password } = restarted();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => password.matches(PASSWORD, '192.0.2.1')),
    );
    expect(new Set(answers)).toEqual(new Set([true]));
  });
});

describe('a site token on the LAN', () => {
  it('a site token opens the API without site headers', async () => {
    expect((await read(`Bearer ${await cloud.siteToken()}`)).status).toBe(200);
  });

  it('a token with access to write writes in the name of its user', async () => {
    expect((await write(`Bearer ${await cloud.siteToken()}`)).status).toBe(200);
    expect(device.settings.writes[0]?.author).toEqual({ name: `user ${USER_ID}`, via: 'lan' });
  });

  it('a token with access to read may not write', async () => {
    const token = await cloud.siteToken({ access: 'read' });
    const answer = await write(`Bearer ${token}`);
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: expect.stringMatching(/^This token may only read/) },
    ]);
    expect(device.settings.writes).toEqual([]);
    expect((await read(`Bearer ${token}`)).status).toBe(200);
  });

  it.each([
    ['signed with an unknown key', async () => cloud.siteToken({ key: await generateSigningKey() })],
    [
      'signed with an unknown key under the known key’s id',
      async () => cloud.siteToken({ key: { ...(await generateSigningKey()), kid: cloud.key.kid } }),
    ],
    [
      'with another payload under its signature',
      async () => withClaims(await cloud.siteToken(), { site: 8 }),
    ],
    [
      'raised from read to write under its signature',
      async () => withClaims(await cloud.siteToken({ access: 'read' }), { access: 'write' }),
    ],
    ['without a signature', async () => (await cloud.siteToken()).replace(/[^.]*$/, '')],
    ['nonsense', async () => 'a.b.c'],
  ])('a token that is %s is answered 401 without a reason', async (_what, token) => {
    const answer = await read(`Bearer ${await token()}`);
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Invalid site token' }]);
  });

  it.each([
    [
      'has expired',
      () => cloud.siteToken({ atMs: clock.now() - SITE_TOKEN_LIFETIME_MS - 1000 }),
      'The site token has expired: authorize again',
    ],
    [
      'is for another site',
      () => cloud.siteToken({ siteId: SITE_ID + 1 }),
      'The site token is for another site',
    ],
    [
      'was revoked',
      () => {
        device.access.revocations.learn(SITE_ID, [revocation('token:7')]);
        return cloud.siteToken({ source: 'token:7', atMs: clock.now() - 60_000 });
      },
      'The site token was revoked: authorize again',
    ],
  ])('a token that %s is answered 401 with the reason', async (_what, token, error) => {
    const answer = await read(`Bearer ${await token()}`);
    expect([answer.status, await answer.json()]).toEqual([401, { error }]);
  });

  it('a token of a revoked subject is refused, also after a restart, and others are not', async () => {
    const before = clock.now() - 60_000;
    const made = (source: string | null, atMs = before) => cloud.siteToken({ source, atMs });
    const tokens = await Promise.all([
      made('token:7'),
      made('grant:5f0c'),
      made('token:8'),
      made(null),
      made('token:8', clock.now() + 1_000),
    ]);
    const { revocations } = device.access;
    const origin = { via: 'lan', address: '192.0.2.1', siteId: undefined, siteKey: undefined } as const;
    const admitted = async (access: Access) => {
      const callers = tokens.map((token) =>
        access.guard.admit({ kind: 'token', token }, { ...origin, foreignPage: false }),
      );
      return (await Promise.allSettled(callers)).map(({ status }) => status === 'fulfilled');
    };
    expect(await admitted(device.access)).toEqual([true, true, true, true, true]);
    revocations.learn(SITE_ID, [revocation('token:7'), revocation('grant:5f0c')]);
    expect(await admitted(device.access)).toEqual([false, false, true, true, true]);
    revocations.learn(SITE_ID, [revocation(`user:${USER_ID}`)]);
    expect(await admitted(device.access)).toEqual([false, false, false, false, true]);
    expect(await admitted(restarted())).toEqual([false, false, false, false, true]);
  });

  it('a revoked token writes nothing, also in a request that was admitted before and whose body came later', async () => {
    const token = await cloud.siteToken({ source: 'token:7', atMs: clock.now() - 60_000 });
    const body = JSON.stringify({ topic: SETTING, value: '40' });
    // So that nothing is to be verified when the request comes.
    expect((await read(`Bearer ${token}`)).status).toBe(200);
    const socket = connect(device.api.port, '127.0.0.1');
    const head = [
      'POST /api/v1/metrics HTTP/1.1',
      'Host: device',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      // Answered with 100 after the head was taken: then the body is all that is waited for.
      'Expect: 100-continue',
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 1)}`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 100 /);
    device.access.revocations.learn(SITE_ID, [revocation('token:7')]);
    socket.write(body.slice(1));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
    expect(device.settings.writes).toEqual([]);
  });

  it('a token stops to work the moment it expires', async () => {
    const token = `Bearer ${await cloud.siteToken({ atMs: clock.now() })}`;
    expect((await read(token)).status).toBe(200);
    clock.advance(SITE_TOKEN_LIFETIME_MS - 1);
    expect((await read(token)).status).toBe(200);
    clock.advance(1);
    expect((await read(token)).status).toBe(401);
  });

  it('an expired token stays refused when the clock goes back, once the cloud has confirmed the clock', async () => {
    const token = `Bearer ${await cloud.siteToken({ atMs: clock.now() })}`;
    clock.advance(SITE_TOKEN_LIFETIME_MS);
    device.access.time.confirm();
    clock.advance(-2 * SITE_TOKEN_LIFETIME_MS);
    expect((await read(token)).status).toBe(401);
    const credentials = { kind: 'token', token: token.slice('Bearer '.length) } as const;
    const origin = { via: 'lan', address: '192.0.2.1', siteId: undefined, siteKey: undefined } as const;
    const admitted = restarted().guard.admit(credentials, { ...origin, foreignPage: false });
    await expect(admitted).rejects.toMatchObject({ status: 401 });
  });

  it('a token is refused by a device that belongs to no site', async () => {
    const token = `Bearer ${await cloud.siteToken()}`;
    expect((await read(token)).status).toBe(200);
    device.access.site.set(null);
    expect((await read(token)).status).toBe(401);
  });

  it('a token works without the cloud once its keys were fetched, also after a restart', async () => {
    const passing = await startTestCloud();
    const origin = {
      via: 'lan',
      address: '192.0.2.1',
      siteId: undefined,
      siteKey: undefined,
      foreignPage: false,
    } as const;
    const token = await passing.siteToken();
    await restarted(passing.url).guard.admit({ kind: 'token', token }, origin);
    await passing.stop();
    const offline = restarted(passing.url);
    expect(offline.site.id).toBe(SITE_ID);
    await expect(offline.guard.admit({ kind: 'token', token }, origin)).resolves.toMatchObject({
      name: `user ${USER_ID}`,
      mayWrite: true,
    });
  });

  it('a token is refused an hour after the cloud withdrew its key, though it was accepted before', async () => {
    const published = { keys: [cloud.key.publicJwk] };
    const server = createServer((_request, response) => response.end(JSON.stringify(published)));
    await once(inPieces(server).listen(0, '127.0.0.1'), 'listening');
    const access = restarted(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const origin = {
      via: 'lan',
      address: '192.0.2.1',
      siteId: undefined,
      siteKey: undefined,
      foreignPage: false,
    } as const;
    const token = await cloud.siteToken();
    const admitted = () => access.guard.admit({ kind: 'token', token }, origin);
    const caller = await admitted();
    published.keys = [];
    clock.advance(60 * 60 * 1000 - 1);
    expect((await admitted()).isStillAuthorized()).toBe(true);
    clock.advance(1);
    // This check starts a fetch of the keys in the background.
    await expect.poll(() => caller.isStillAuthorized()).toBe(false);
    await expect(admitted()).rejects.toMatchObject({ status: 401 });
    server.close();
  });

  it('tokens with an unknown key do not make the device fetch keys again and again', async () => {
    const before = cloud.keyFetches;
    const forger = await generateSigningKey();
    for (let n = 0; n < 5; n++) await read(`Bearer ${await cloud.siteToken({ key: forger })}`);
    expect(cloud.keyFetches - before).toBe(1);
  });
});

describe('headers that only the tunnel may use', () => {
  it('tunnel headers do not make a LAN request one of the proxy', async () => {
    const answer = await fetch(device.api.url + METRICS, {
      method: 'POST',
      headers: {
        authorization: basic(PASSWORD, 'admin'),
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
        'site-id': '999',
      },
      body: JSON.stringify({ topic: SETTING, value: '40' }),
    });
    expect(answer.status).toBe(200);
    expect(device.settings.writes[0]?.author.via).toBe('lan');
  });

  it('tunnel headers do not give an attacker a new address', async () => {
    const attempt = (n: number) =>
      fetch(device.api.url + METRICS, {
        headers: { authorization: basic(`guess ${n}`, ''), 'x-forwarded-for': `203.0.113.${n}` },
      });
    for (let n = 0; n < MAX_FAILED_ATTEMPTS; n++) await attempt(n);
    expect((await attempt(99)).status).toBe(429);
  });
});

const revocation = (subject: string) => ({ subject, revoked_at: new Date(clock.now()).toISOString() });

/** The access of a new process over the device's stored state. */
function restarted(cloudUrl = cloud.url): Access {
  return createAccess({ store: device.store, cloudUrl, clock, logger: silentLogger });
}

function withClaims(token: string, claims: object): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}
