import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCloud } from '../src/cloud.ts';
import { resealAuthenticatorApps } from '../src/identity/second-factor/reseal-apps.ts';
import { SigningKeys } from '../src/signing-keys/signing-keys.ts';
import { PASSWORD } from './factory.ts';
import { addApp } from './second-factor.ts';
import { CLOUD_SECRET, startTestCloud, type TestCloud, testConfig } from './test-cloud.ts';

const NEW_SECRET = 'the-secret-that-replaces-the-other-one';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** A process of the same cloud with other values of its secret. */
async function processWith(used: string, accepted?: string) {
  const config = testConfig(cloud.databaseUrl, { secret: { used, accepted } });
  const running = await startCloud(config, { clock: cloud.clock, logger: silentLogger });
  const { url } = running.facts;
  const jwks = async () => (await fetch(`${url}/.well-known/jwks.json`)).json();
  const signIn = async (email: string, otp: string) => {
    const body = JSON.stringify({ email, password: PASSWORD, organization_id: 'none', otp });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/api/v1/sign_in`, { method: 'POST', headers, body })).status;
  };
  return { jwks, signIn, [Symbol.asyncDispose]: () => running.stop() };
}

it('the secret of the cloud is replaced without an end to keys, authenticator apps or recovery codes', async () => {
  const user = await cloud.make.user();
  const { app, recoveryCodes } = await addApp(cloud, user);
  const [first = '', second = ''] = recoveryCodes ?? [];

  // Every process accepts the new value before one uses it.
  await using before = await processWith(CLOUD_SECRET, NEW_SECRET);
  await using after = await processWith(NEW_SECRET, CLOUD_SECRET);
  expect(await after.jwks()).toEqual(await before.jwks());
  expect(await after.signIn(user.email, await app.code())).toBe(200);
  expect(await after.signIn(user.email, first)).toBe(200);
  expect(await before.signIn(user.email, await app.nextCode())).toBe(200);
  expect(await before.signIn(user.email, second)).toBe(200);
  const newcomer = await cloud.make.user();
  const added = await addApp(cloud, newcomer);
  expect(await after.signIn(newcomer.email, await added.app.code())).toBe(200);

  const secret = { used: NEW_SECRET, accepted: CLOUD_SECRET };
  const { db, clock } = cloud;
  const keys = new SigningKeys({ db, rotationDays: 0, secret, clock, logger: silentLogger });
  expect(await keys.reseal()).toBe(4);
  expect(await keys.reseal()).toBe(0);
  expect(await resealAuthenticatorApps(db, secret)).toBe(2);
  expect(await resealAuthenticatorApps(db, secret)).toBe(0);

  await using alone = await processWith(NEW_SECRET);
  expect(await alone.jwks()).toEqual(await before.jwks());
  expect(await alone.signIn(user.email, await app.nextCode())).toBe(200);
});
