import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { createLogger } from '@heliograph/kit';
import { BrowserJar } from './testing/browser-jar.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({}, createLogger('t'));
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const REDIRECT = 'https://app.example.org/callback';

it('gives an application a token for the site that its user chose', async () => {
  const owner = await cloud.make.user();
  const organizationId = await cloud.make.organization();
  const boss = await cloud.make.employee(organizationId, 'owner');
  const site = await cloud.make.site({ ownerId: owner.id });
  const made = await cloud.call(`POST /api/v1/organizations/${organizationId}/applications`, {
    token: boss.token,
    body: { name: 'Roof', redirect_uris: [REDIRECT] },
  });
  expect(made.status).toBe(201);
  const id = String(made.body.client_id);
  const config = await client.discovery(new URL(cloud.url), id, String(made.body.client_secret), undefined, {
    execute: [client.allowInsecureRequests],
  });
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: 'openid sites:read_single',
    state: 's1',
    nonce: 'n1',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const browser = new BrowserJar(cloud);
  const started = await browser.go('GET', url.href);
  expect([started.status, await started.text()]).toEqual([303, expect.any(String)]);
  const consent = started.headers.get('location') ?? '';
  expect(await (await browser.go('GET', `${consent}/request`)).json()).toMatchObject({ user: null });
  const signedIn = await browser.go('POST', `${consent}/sign_in`, { email: owner.email, password: 'Correct-horse-7' });
  expect(signedIn.status).toBe(200);
  const allowed = await browser.go('POST', `${consent}/allow`, { site_id: site.id });
  const body = (await allowed.json()) as { location: string };
  const back = await browser.go('GET', body.location);
  const tokens = await client.authorizationCodeGrant(config, new URL(back.headers.get('location') ?? ''), {
    pkceCodeVerifier: verifier,
    expectedState: 's1',
    expectedNonce: 'n1',
  });
  const token = tokens.access_token;
  expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token })).status).toBe(200);
});
