import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@heliograph/dev/testing';
import { ManualClock, type Running, silentLogger } from '@heliograph/kit';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../src/access/caller.ts';
import { type CloudFacts, startCloud } from '../src/cloud.ts';
import { openDatabase } from '../src/db/open.ts';
import { rotateKeys } from '../src/signing-keys/rotation.ts';
import { Front } from './front.ts';
import { TestPerson } from './oauth/person.ts';
import { ThirdParty } from './oauth/third-party.ts';
import { Relay } from './relay.ts';
import { TestCloud, testConfig } from './test-cloud.ts';

let database: TestDatabase;
let relay: Relay;
let front: Front;
const clouds: Running<CloudFacts>[] = [];
let cloud: TestCloud;
beforeAll(async () => {
  [database, front] = await Promise.all([createTestDatabase(), Front.start()]);
  relay = await Relay.start(database.url);
  const clock = new ManualClock(Date.now());
  for (let n = 0; n < 2; n++) {
    const port = await freePort();
    const config = testConfig(relay.url, { url: front.url, port });
    clouds.push(await startCloud(config, { clock, logger: silentLogger }));
    front.ports.push(port);
  }
  const { db, close } = openDatabase(database.url, () => undefined);
  cloud = new TestCloud(front.url, clock, db, database.url, close);
});
afterAll(async () => {
  relay?.mend();
  for (const running of clouds) await running.stop();
  await cloud?.[Symbol.asyncDispose]();
  await front?.[Symbol.asyncDispose]();
  await relay?.[Symbol.asyncDispose]();
  await database?.drop();
});

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

it('an authorization continues at any process', async () => {
  const application = await ThirdParty.make(cloud);
  const person = await TestPerson.make(cloud);
  // Each way through takes an odd number of requests, so the second begins at the other process.
  for (let time = 0; time < 2; time++) {
    const code = await person.code(await application.authorizationUrl());
    const { body } = await application.redeem(code);
    const token = body.access_token;
    const path = `GET /api/v1/sites/${person.site.id}`;
    expect((await cloud.call(path, { token })).status).toBe(200);
    expect((await cloud.call(path, { token })).status).toBe(200);
    expect((await application.redeem(code)).status).toBe(400);
    for (let process = 0; process < 2; process++)
      expect((await cloud.call(path, { token })).status).toBe(401);
  }
});

it('a code that both processes receive at once leaves no valid token', async () => {
  const application = await ThirdParty.make(cloud);
  const person = await TestPerson.make(cloud);
  const code = await person.code(await application.authorizationUrl());
  const answers = await Promise.all([0, 1, 2, 3].map(() => application.redeem(code)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given.length).toBeLessThan(2);
  for (const { body } of given)
    expect((await cloud.call('GET /api/v1/user', { token: body.access_token })).status).toBe(401);
});

it('openid-client verifies id_tokens from before and after a rotation of keys during a consent', async () => {
  const application = await ThirdParty.make(cloud);
  const person = await TestPerson.make(cloud);
  const config = await application.openidClient();
  const token = async (callback: URL): Promise<string> => {
    const checks = { pkceCodeVerifier: application.verifier, expectedState: 'the-state' };
    return (await client.authorizationCodeGrant(config, callback, checks)).id_token ?? '';
  };
  const before = await token(await person.allow(await application.authorizationUrl()));
  const callback = await person.allow(await application.authorizationUrl());

  // As if the next key had been published for long.
  await cloud.db
    .updateTable('signing_keys')
    .set({ created_at: new Date(0) })
    .execute();
  const { kid } = await rotateKeys(cloud, OPERATOR, 'identity');
  const firstKey = async () =>
    (await cloud.call<{ keys: { kid: string }[] }>('GET /oauth/certs')).body.keys[0]?.kid;
  const ofBoth = async () => [await firstKey(), await firstKey()];
  await expect.poll(ofBoth).toEqual([kid, kid]);

  const after = await token(callback);
  expect(decodeProtectedHeader(before).kid).not.toBe(kid);
  expect(decodeProtectedHeader(after).kid).toBe(kid);
  const keys = createRemoteJWKSet(new URL(`${cloud.url}/oauth/certs`));
  for (const idToken of [before, after])
    await jwtVerify(idToken, keys, { issuer: cloud.url, audience: application.clientId });
});

it('requests are answered with 503 without a database, and served again afterwards', async () => {
  const application = await ThirdParty.make(cloud);
  const person = await TestPerson.make(cloud);
  const code = await person.code(await application.authorizationUrl());
  const url = await application.authorizationUrl();
  const html = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
  relay.cut();
  for (let process = 0; process < 2; process++) {
    const answers = await Promise.all([
      application.redeem(code),
      application.post('/oauth/revoke', { client_id: application.clientId, token: 'x' }),
      cloud.call('GET /oauth/userinfo', { token: 'x' }),
    ]);
    for (const { status, headers, body } of answers) {
      expect([status, body]).toEqual([
        503,
        { error: 'temporarily_unavailable', error_description: expect.any(String) },
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const shown = await fetch(url, html);
    expect([shown.status, shown.headers.get('location')]).toEqual([503, null]);
    expect(await shown.text()).not.toMatch(/ECONN|node_modules/);
    // Verification of tokens needs no database.
    expect((await cloud.call('GET /oauth/certs')).status).toBe(200);
  }
  relay.mend();
  await expect.poll(async () => (await application.redeem(code)).status).toBe(200);
});
