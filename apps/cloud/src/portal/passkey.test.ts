import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../test/factory.ts';
import { PortalBrowser } from '../../test/portal/browser.ts';
import { addApp, addPasskey } from '../../test/second-factor.ts';
import { SoftwareAuthenticator } from '../../test/software-authenticator.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { PASSKEY_CHALLENGES_PER_ADDRESS } from '../identity/accounts/limits.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const optionsFor = async (browser: PortalBrowser) =>
  (await browser.call<PasskeyRequestOptions>('POST /portal/passkey/options')).body;

async function personWithPasskey(): Promise<{ user: TestUser; authenticator: SoftwareAuthenticator }> {
  const user = await cloud.make.user();
  return { user, ...(await addPasskey(cloud, user)) };
}

it('a passkey alone signs a browser in, once for each challenge', async () => {
  const { user, authenticator } = await personWithPasskey();
  const browser = new PortalBrowser(cloud);
  const options = await optionsFor(browser);
  expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required', rpId: '127.0.0.1' });
  const passkey = authenticator.get(options);
  const signedIn = await browser.call('POST /portal/passkey', { body: { passkey } });
  expect(signedIn).toMatchObject({ status: 200, body: { user: { id: user.id } } });
  expect(browser.session).toMatch(/^hgs_/);
  const again = await new PortalBrowser(cloud).call('POST /portal/passkey', { body: { passkey } });
  expect(again.status).toBe(401);
});

it('a passkey without user verification does not sign in alone', async () => {
  const { authenticator } = await personWithPasskey();
  const browser = new PortalBrowser(cloud);
  const passkey = authenticator.get(await optionsFor(browser), { verifiesUser: false });
  expect((await browser.call('POST /portal/passkey', { body: { passkey } })).status).toBe(401);
});

it('the signature of a second factor does not sign in alone, nor the other way round', async () => {
  const { user, authenticator } = await personWithPasskey();
  const browser = new PortalBrowser(cloud);
  const credentials = { email: user.email, password: PASSWORD };
  const { pending_token } = (await browser.call('POST /portal/sign_in', { body: credentials })).body;
  const second = await browser.call('POST /portal/api/v1/sign_in/second_factor/options', {
    body: { pending_token },
  });
  const asSecond = authenticator.get(second.body.passkey as PasskeyRequestOptions);
  expect((await browser.call('POST /portal/passkey', { body: { passkey: asSecond } })).status).toBe(401);
  const alone = authenticator.get(await optionsFor(browser));
  const shown = await browser.call('POST /portal/api/v1/sign_in/second_factor', {
    body: { pending_token, passkey: alone },
  });
  expect(shown.status).toBe(401);
});

it('a passkey is reported as unknown for a fresh challenge alone, and only when no account has it', async () => {
  const { authenticator } = await personWithPasskey();
  const browser = new PortalBrowser(cloud);
  const signIn = async (passkey: unknown) =>
    (await browser.call('POST /portal/passkey', { body: { passkey } })).body;
  const refused = { error: 'The passkey was refused: try again' };
  const known = authenticator.get(await optionsFor(browser));
  const forged = { ...known, response: { ...known.response, signature: 'AAAA' } };
  expect(await signIn(forged)).toEqual(refused);
  const other = { ...known, id: 'AAAA', rawId: 'AAAA' };
  expect(await signIn(other)).toEqual(refused);
  expect(
    await signIn({ ...authenticator.get(await optionsFor(browser)), id: 'AAAA', rawId: 'AAAA' }),
  ).toEqual({
    error: 'This passkey is no longer known here',
    next_step: 'remove_passkey',
  });
});

it('an unknown passkey is refused and recorded', async () => {
  const { authenticator } = await personWithPasskey();
  await cloud.db.deleteFrom('passkeys').execute();
  const browser = new PortalBrowser(cloud);
  const passkey = authenticator.get(await optionsFor(browser));
  expect(await browser.call('POST /portal/passkey', { body: { passkey } })).toMatchObject({
    status: 401,
    body: { error: expect.any(String), next_step: 'remove_passkey' },
  });
  const failed = cloud.db
    .selectFrom('audit_events')
    .select('user_id')
    .where('action', '=', 'account.sign_in_failed');
  await expect.poll(() => failed.execute()).toContainEqual({ user_id: null });
});

it('a page of another site gets no challenge', async () => {
  const browser = new PortalBrowser(cloud);
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await browser.call('POST /portal/passkey/options', { headers })).status).toBe(403);
});

it('a browser signs in with the password and a code, in two steps', async () => {
  const user = await cloud.make.user();
  const { app } = await addApp(cloud, user);
  const browser = new PortalBrowser(cloud);
  const { email } = user;
  const first = await browser.call('POST /portal/sign_in', { body: { email, password: PASSWORD } });
  expect(first).toMatchObject({ status: 412, body: { next_step: 'second_factor' } });
  expect(browser.session).toBeUndefined();
  const { pending_token } = first.body;
  const body = { email, pending_token, otp: await app.code() };
  expect((await browser.call('POST /portal/sign_in', { body })).status).toBe(200);
  expect(browser.session).toMatch(/^hgs_/);
});

it("a passkey belongs to the host of its page, an organization's own among them", async () => {
  const host = 'portal.sun.example';
  const organization = await cloud.make.organization();
  await cloud.db
    .updateTable('organizations')
    .set({ cloud_host: host, cloud_host_vetted: true })
    .where('id', '=', organization)
    .execute();
  const user = await cloud.make.user({ customerOf: organization });
  const browser = await PortalBrowser.of(cloud, user);
  // Node's fetch sends no Host of ours; what the reverse proxy forwards is believed as well.
  const headers = { origin: `https://${host}`, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };
  const { body: options } = await browser.call<PasskeyCreationOptions>(
    'POST /portal/api/v1/user/passkeys/options',
    { headers },
  );
  expect(options.rp.id).toBe(host);
  const authenticator = new SoftwareAuthenticator(`https://${host}`);
  const passkey = authenticator.create(options);
  const added = await browser.call('POST /portal/api/v1/user/passkeys', {
    headers,
    body: { name: 'Phone', passkey },
  });
  expect(added).toMatchObject({ status: 201, body: { host } });
  const signIn = { email: user.email, password: PASSWORD, organization_id: organization };
  const waiting = await cloud.call('POST /api/v1/sign_in', { body: signIn });
  expect(waiting.body.second_factor_url).toMatch(`https://${host}/sign_in#second_factor/`);
  const { pending_token } = waiting.body;
  const body = { pending_token };
  const here = await browser.call('POST /portal/api/v1/sign_in/second_factor/options', { headers, body });
  expect(here.body).toMatchObject({ passkey: { rpId: host }, passkey_hosts: [host] });
  const elsewhere = await browser.call('POST /portal/api/v1/sign_in/second_factor/options', { body });
  expect(elsewhere.body).toMatchObject({ passkey: null, passkey_hosts: [host] });
  await cloud.db
    .updateTable('organizations')
    .set({ cloud_host_vetted: false })
    .where('id', '=', organization)
    .execute();
  const former = await browser.call('POST /portal/api/v1/sign_in/second_factor/options', { body });
  expect(former.body).toMatchObject({ passkey: null, passkey_hosts: [] });
});

it('challenges of one network are limited and stored until they expire', async () => {
  const requestOptions = (from: string) =>
    new PortalBrowser(cloud).call('POST /portal/passkey/options', { from });
  expect((await requestOptions('203.0.113.60')).status).toBe(200);
  await cloud.multiplyCounts(PASSKEY_CHALLENGES_PER_ADDRESS.points - 1);
  expect((await requestOptions('203.0.113.60')).status).toBe(200);
  expect((await requestOptions('203.0.113.60')).status).toBe(429);
  expect((await requestOptions('203.0.113.61')).status).toBe(200);
});
