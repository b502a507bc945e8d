import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeCloud, FakeDevice, sampleMetrics, sampleSite } from '../test/index.ts';
import { type CloudClient, createCloudClient } from './cloud-client.ts';
import { ApiError, ConnectionError, UnexpectedAnswer } from './http/errors.ts';

describe('createCloudClient', () => {
  const device = new FakeDevice(sampleMetrics());
  let cloud: FakeCloud;
  let client: CloudClient;

  beforeAll(async () => {
    await device.start();
    cloud = await new FakeCloud([sampleSite(), sampleSite({ id: 8, name: 'barn' })], device).start();
    client = createCloudClient({ url: `${cloud.url}/`, token: cloud.token });
  });
  afterAll(async () => {
    await cloud.stop();
    await device.stop();
  });

  it('the client signs in with email and password', async () => {
    const credentials = { email: 'demo@example.com', password: 'secret', organization_id: 'none' } as const;
    const { token } = await createCloudClient({ url: cloud.url }).signIn(credentials);
    const user = await createCloudClient({ url: cloud.url, token }).getCurrentUser();
    expect(user.email).toBe('demo@example.com');
  });

  it('the error of an unconfirmed sign-in contains the pending token', async () => {
    const credentials = { email: 'new@example.com', password: 'secret', organization_id: 'none' } as const;
    const error = await createCloudClient({ url: cloud.url })
      .signIn(credentials)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 412,
      body: { pending_token: 'p1', next_step: 'click_email_link' },
    });
  });

  it('the client signs in with the pending token once the email is confirmed', async () => {
    const signedOut = createCloudClient({ url: cloud.url });
    const waiting = { email: 'new@example.com', pending_token: 'p1', organization_id: 'none' } as const;
    await expect(signedOut.signIn(waiting)).rejects.toMatchObject({ status: 412 });
    cloud.confirmed = true;
    expect(await signedOut.signIn(waiting)).toMatchObject({ token: cloud.token });
  });

  it('the client hands its session over to another page', async () => {
    expect(await client.handOverSession()).toEqual({ session_token: 's1' });
  });

  it('the client gets an id_token for an application', async () => {
    const { id_token, expires_in } = await client.createIdToken({ client_id: 'app_7', nonce: 'a nonce' });
    expect(JSON.parse(id_token)).toEqual({ client_id: 'app_7', nonce: 'a nonce' });
    expect(expires_in).toBe(300);
  });

  it('the client lists sites by search and page', async () => {
    expect((await client.listSites()).map(({ name }) => name)).toEqual(['demo', 'barn']);
    expect((await client.listSites({ q: 'name:barn' })).map(({ id }) => id)).toEqual([8]);
    expect((await client.listSites({ limit: 1, offset: 1 })).map(({ id }) => id)).toEqual([8]);
  });

  it('the client percent-encodes a search', async () => {
    await client.listSites({ q: 'name:a&b *' });
    expect(cloud.requests.at(-1)).toBe('GET /api/v1/sites?q=name%3Aa%26b%20%2A');
  });

  it('the client reads one site and registers another', async () => {
    expect(await client.getSite({ id: 8 })).toMatchObject({ name: 'barn', users: [] });
    expect(await client.registerSite({ uid: 'u1', name: 'new' })).toMatchObject({ id: 99, name: 'new' });
  });

  it('the client authorizes a site', async () => {
    expect(await client.authorizeSite({ id: 7 })).toEqual({
      host: device.address,
      site_id: 7,
      site_key: 'key',
      token: 'site-token',
    });
  });

  it('the client opens the live values of a site', async () => {
    const siteDevice = await client.device(7);
    expect(await siteDevice.value('total/pv_power')).toBe('1240');
  });

  it('the client renews a refused site token', async () => {
    const siteDevice = await client.device(7);
    device.credentials.token = 'next-token';
    expect(await siteDevice.metrics({ topic: 'total/*' })).toHaveLength(2);
  });

  it.each<[string, () => Promise<unknown>, number, string]>([
    [
      'a wrong token',
      () => createCloudClient({ url: cloud.url, token: 'no' }).getCurrentUser(),
      401,
      'Unauthorized',
    ],
    ['an unknown site', () => client.getSite({ id: 404 }), 404, 'Not found'],
    ['a refused field', () => client.registerSite({ uid: 'u1', name: 'demo' }), 422, 'name is already taken'],
  ])('the error has status and message for %s', async (_what, call, status, message) => {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, message, origin: cloud.url });
  });

  it('a cloud that does not answer raises ConnectionError', async () => {
    const gone = await new FakeCloud([]).start();
    await gone.stop();
    const error = await createCloudClient({ url: gone.url, token: 't' })
      .getCurrentUser()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(`Cannot reach ${gone.url}: connection refused`);
  });

  it('an answer that is not JSON raises UnexpectedAnswer', async () => {
    const page = createCloudClient({ url: `data:text/html,hello#`, token: 't' });
    await expect(page.getCurrentUser()).rejects.toBeInstanceOf(UnexpectedAnswer);
  });
});
