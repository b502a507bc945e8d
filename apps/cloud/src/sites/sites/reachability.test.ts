import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
let proxy: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let probes: IncomingMessage[] = [];
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  proxy = createServer((request, response) => {
    probes.push(request);
    answer(request, response);
  });
  inPieces(proxy).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterEach(() => {
  probes = [];
});
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await cloud?.[Symbol.asyncDispose]();
});

async function announce(host: string): Promise<void> {
  cloud.clock.advance(60_000);
  const body = { host, url: `http://${host}`, region: 'us', sessions: [] };
  expect(
    (await cloud.call('PUT /api/v1/proxies/us-1', { token: await cloud.proxyCredential('us-1'), body }))
      .status,
  ).toBe(200);
}

const hostOfProxy = () => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const probe = (id: number, token = owner.token, body: unknown = { uri: 'http://192.168.1.9/' }) =>
  cloud.call(`PUT /api/v1/sites/${id}/offline`, { token, body });

const newSite = async () => (await cloud.make.site({ ownerId: owner.id })).id;

describe('PUT /sites/:id/offline', () => {
  it('the status is proxy_unreachable before the first proxy announces itself', async () => {
    await using fresh = await startTestCloud();
    const user = await fresh.make.user();
    const { id } = await fresh.make.site({ ownerId: user.id });
    const { body } = await fresh.call(`PUT /api/v1/sites/${id}/offline`, { token: user.token });
    expect(body).toMatchObject({ reachable: false, status: 'proxy_unreachable' });
  });

  it('a call without a body is accepted', async () => {
    const { status } = await cloud.call(`PUT /api/v1/sites/${await newSite()}/offline`, {
      token: owner.token,
    });
    expect(status).toBe(200);
  });

  it('the cloud probes the device through its proxy with a read-only token', async () => {
    await announce(hostOfProxy());
    answer = (_request, response) => response.end('[]');
    const id = await newSite();
    expect(await probe(id)).toMatchObject({
      status: 200,
      body: { reachable: true, status: 'connected', status_at: new Date(cloud.clock.now()).toISOString() },
    });
    expect(probes).toHaveLength(1);
    expect(probes[0]?.url).toBe('/api/v1/system');
    expect(probes[0]?.headers).toMatchObject({ 'site-id': String(id), 'site-key': expect.any(String) });
    const token = String(probes[0]?.headers.authorization).replace('Bearer ', '');
    expect(decodeJwt(token)).toMatchObject({ site: id, access: 'read' });
  });

  it.each([
    [200, 'connected'],
    [503, 'disconnected'],
    [502, 'disconnected'],
    [504, 'timeout'],
    [500, 'http_error'],
    [404, 'http_error'],
    [302, 'http_error'],
  ])('the answer %i of a proxy becomes the status %s', async (code, status) => {
    await announce(hostOfProxy());
    answer = (_request, response) => response.writeHead(code, { location: '/elsewhere' }).end();
    expect((await probe(await newSite())).body).toMatchObject({ reachable: code === 200, status });
    expect(probes).toHaveLength(1);
  });

  it('a proxy that refuses connections is unreachable, one that does not answer times out', async () => {
    await announce('127.0.0.1:1');
    expect((await probe(await newSite())).body).toMatchObject({
      reachable: false,
      status: 'proxy_unreachable',
    });
    await announce(hostOfProxy());
    answer = () => undefined;
    expect((await probe(await newSite())).body).toMatchObject({ reachable: false, status: 'timeout' });
  }, 15_000);

  it('each site is probed once a minute under concurrent calls', async () => {
    await announce(hostOfProxy());
    answer = (_request, response) => response.end('[]');
    const id = await newSite();
    const first = await Promise.all([probe(id), probe(id), probe(id)]);
    cloud.clock.advance(59_000);
    answer = (_request, response) => response.writeHead(503).end();
    expect((await probe(id)).body).toEqual(first[0].body);
    expect(probes).toHaveLength(1);
    cloud.clock.advance(2_000);
    expect((await probe(id)).body).toMatchObject({ status: 'disconnected' });
    expect(probes).toHaveLength(2);
  });

  it('a site without a device is answered not_found without a probe', async () => {
    const id = await newSite();
    await cloud.db.updateTable('devices').set({ site_id: null }).where('site_id', '=', id).execute();
    expect((await probe(id)).body).toMatchObject({ reachable: false, status: 'not_found' });
    expect(probes).toEqual([]);
  });

  it('a caller without access is answered 404 without a probe', async () => {
    const stranger = await cloud.make.user();
    expect((await probe(await newSite(), stranger.token)).status).toBe(404);
    expect((await probe(await newSite(), owner.token, { uri: 7 })).status).toBe(400);
    expect(probes).toEqual([]);
  });
});
