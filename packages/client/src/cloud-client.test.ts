import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CloudClient } from './cloud-client.ts';
import { ApiError, ConnectionError, UnexpectedAnswer } from './http/errors.ts';
import { FakeCloud, FakeDevice, sampleMetrics, sampleSite } from './testing/index.ts';

describe('CloudClient', () => {
  const device = new FakeDevice(sampleMetrics());
  let cloud: FakeCloud;
  let client: CloudClient;

  beforeAll(async () => {
    await device.start();
    cloud = await new FakeCloud([sampleSite(), sampleSite({ id: 8, name: 'barn' })], device).start();
    client = new CloudClient({ url: `${cloud.url}/`, token: cloud.token });
  });
  afterAll(async () => {
    await cloud.stop();
    await device.stop();
  });

  it('signs in with email and password, and the session token makes a client', async () => {
    const { token } = await CloudClient.signIn({
      url: cloud.url,
      email: 'demo@example.com',
      password: 'secret',
    });
    const user = await new CloudClient({ url: cloud.url, token }).user();
    expect(user.email).toBe('demo@example.com');
  });

  it('gives the pending token of an unconfirmed sign-in with the error', async () => {
    const error = await CloudClient.signIn({
      url: cloud.url,
      email: 'new@example.com',
      password: 'secret',
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 412,
      body: { pending_token: 'p1', next_step: 'click_email_link' },
    });
  });

  it('signs in with the pending token once the email is confirmed', async () => {
    const waiting = { url: cloud.url, email: 'new@example.com', pendingToken: 'p1' };
    await expect(CloudClient.signIn(waiting)).rejects.toMatchObject({ status: 412 });
    cloud.confirmed = true;
    expect(await CloudClient.signIn(waiting)).toMatchObject({ token: cloud.token });
  });

  it('hands its session over to another page', async () => {
    expect(await client.handOver()).toEqual({ session_token: 's1' });
  });

  it('tells an application who is signed in', async () => {
    const { id_token, expires_in } = await client.idToken('app_7', 'a nonce');
    expect(JSON.parse(id_token)).toEqual({ client_id: 'app_7', nonce: 'a nonce' });
    expect(expires_in).toBe(300);
  });

  it('lists sites, searched and paged', async () => {
    expect((await client.sites()).map(({ name }) => name)).toEqual(['demo', 'barn']);
    expect((await client.sites({ q: 'name:barn' })).map(({ id }) => id)).toEqual([8]);
    expect((await client.sites({ limit: 1, offset: 1 })).map(({ id }) => id)).toEqual([8]);
  });

  it('percent-encodes a search', async () => {
    await client.sites({ q: 'name:a&b *' });
    expect(cloud.requests.at(-1)).toBe('GET /api/v1/sites?q=name%3Aa%26b%20%2A');
  });

  it('reads one site and registers another', async () => {
    expect(await client.site(8)).toMatchObject({ name: 'barn', users: [] });
    expect(await client.registerSite({ uid: 'u1', name: 'new' })).toMatchObject({ id: 99, name: 'new' });
  });

  it('authorizes a site', async () => {
    expect(await client.authorize(7)).toEqual({
      host: device.address,
      site_id: 7,
      site_key: 'key',
      token: 'site-token',
    });
  });

  it('leads to the live values of a site', async () => {
    const siteDevice = await client.device(7);
    expect(await siteDevice.value('total/pv_power')).toBe('1240');
  });

  it('gets a new site token by itself when the old one is refused', async () => {
    const siteDevice = await client.device(7);
    device.credentials.token = 'next-token';
    expect(await siteDevice.metrics({ topic: 'total/*' })).toHaveLength(2);
  });

  it.each<[string, () => Promise<unknown>, number, string]>([
    ['a wrong token', () => new CloudClient({ url: cloud.url, token: 'no' }).user(), 401, 'Unauthorized'],
    ['an unknown site', () => client.site(404), 404, 'Not found'],
    ['a refused field', () => client.registerSite({ uid: 'u1', name: 'demo' }), 422, 'name is already taken'],
  ])('tells status and words for %s', async (_what, call, status, message) => {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, message, origin: cloud.url });
  });

  it('tells when nobody answers', async () => {
    const gone = await new FakeCloud([]).start();
    await gone.stop();
    const error = await new CloudClient({ url: gone.url, token: 't' })
      .user()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(`Cannot reach ${gone.url}: connection refused`);
  });

  it('tells when something else than a cloud answers', async () => {
    const page = new CloudClient({ url: `data:text/html,hello#`, token: 't' });
    await expect(page.user()).rejects.toBeInstanceOf(UnexpectedAnswer);
  });
});
