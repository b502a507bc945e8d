import { getEventListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Operation } from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations';
import { type ClientRoute, clientRoutes } from '@heliograph/contracts/operations/client-routes';
import { cloudRoutes } from '@heliograph/contracts/operations/cloud.static';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen, sendJson } from '../../test/http.ts';
import { type CloudClient, createCloudClient } from '../cloud-client.ts';
import { ConnectionError } from '../http/errors.ts';
import { methodsOf } from './api.ts';
import { requestOf } from './request.ts';

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);

interface Received {
  /** Method and path. */
  readonly request: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly body: string;
}

/** Requests that came, in order. */
let received: Received[] = [];
let answer: (response: ServerResponse, path: string) => void;
const server = createServer(async (request, response) => {
  const { method, url = '', headers } = request;
  const { authorization, 'content-type': contentType, 'idempotency-key': key } = headers;
  // The bytes of an image are no UTF-8: latin1 keeps each.
  const body = await text(request.setEncoding('latin1'));
  const sent = { request: `${method} ${url}`, authorization, contentType, body };
  received.push(key === undefined ? sent : { ...sent, idempotencyKey: String(key) });
  answer(response, url);
});
let url: string;
let cloud: CloudClient;
beforeAll(async () => {
  url = `http://${await listen(server)}`;
  cloud = createCloudClient({ url, token: 't' });
});
afterAll(() => closeServer(server));
beforeEach(() => {
  received = [];
  answer = (response) => sendJson(response, 200, {});
});

describe('requests', () => {
  const without = { authorization: 'Bearer t', contentType: undefined, body: '' };
  const json = { authorization: 'Bearer t', contentType: 'application/json' };

  it.each<[string, () => Promise<unknown>, Received]>([
    ['an operation without input', () => cloud.getCurrentUser(), { ...without, request: 'GET /api/v1/user' }],
    [
      'a parameter of the path, percent-encoded',
      () => cloud.getDevice({ uid: 'a/b ü?' }),
      { ...without, request: 'GET /api/v1/devices/a%2Fb%20%C3%BC%3F' },
    ],
    [
      'two parameters of the path',
      () => cloud.removeSiteMember({ id: 7, user_id: 8 }),
      { ...without, request: 'DELETE /api/v1/sites/7/users/8' },
    ],
    [
      'a query, percent-encoded',
      () => cloud.listDevices({ q: 'a&b *', state: 'inactive', limit: 5 }),
      { ...without, request: 'GET /api/v1/devices?q=a%26b%20%2A&state=inactive&limit=5' },
    ],
    [
      'a query beside a parameter of the path',
      () => cloud.listSiteAudit({ id: 7, offset: 20 }),
      { ...without, request: 'GET /api/v1/sites/7/audit?offset=20' },
    ],
    [
      'no undefined fields of a query',
      () => cloud.listDevices({ q: undefined, limit: 5 }),
      { ...without, request: 'GET /api/v1/devices?limit=5' },
    ],
    [
      'the query of a POST',
      () => cloud.authorizeSite({ id: 7, roles: 'a,b' }),
      { ...without, request: 'POST /api/v1/sites/7/authorize?roles=a%2Cb' },
    ],
    [
      'the rest of the fields as a body, null included and undefined left out',
      () => cloud.registerSite({ uid: 'u', name: undefined, description: null }),
      { ...json, request: 'POST /api/v1/sites/register', body: '{"uid":"u","description":null}' },
    ],
    [
      'a body without the parameters of the path',
      () => cloud.updateSiteMember({ id: 7, user_id: 8, role: 'admin' }),
      { ...json, request: 'PATCH /api/v1/sites/7/users/8', body: '{"role":"admin"}' },
    ],
    [
      'an empty object for an optional body',
      () => cloud.probeSite({ id: 7 }),
      { ...json, request: 'PUT /api/v1/sites/7/offline', body: '{}' },
    ],
    [
      'bytes with their own media type',
      () => cloud.setOrganizationLogo({ id: 7, file: new Blob([PNG], { type: 'image/png' }) }),
      {
        authorization: 'Bearer t',
        contentType: 'image/png',
        request: 'PUT /api/v1/organizations/7/logo',
        body: Buffer.from(PNG).toString('latin1'),
      },
    ],
    [
      'no credential without a token',
      () => createCloudClient({ url: `${url}/portal/` }).listSites({ q: 'a' }),
      { ...without, authorization: undefined, request: 'GET /portal/api/v1/sites?q=a' },
    ],
  ])('the client sends %s', async (_what, call, expected) => {
    await call();
    expect(received).toEqual([expected]);
  });

  it.each(Object.entries<ClientRoute>(cloudRoutes))(
    'the client sends %s to its route',
    async (id, { method, path }) => {
      const options = { base: url, timeoutMs: 15_000, retry: false } as const;
      const methods = methodsOf<Readonly<Record<string, Operation>>>(cloudRoutes, options);
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'a/b']);
      await methods[id]?.(Object.fromEntries(parameters));
      const [sent] = received;
      expect(sent?.request).toBe(`${method} ${path.replaceAll(/\{\w+\}/g, 'a%2Fb')}`);
    },
  );

  it('an operation that is done once is sent with the key of its caller, and others without one', async () => {
    const placed = { items: [{ sku: 'box' }], currency: 'EUR' };
    await cloud.placeOrder(placed, { idempotencyKey: 'b7d1' });
    await cloud.placeOrder(placed);
    await cloud.getCurrentUser({});
    expect(received.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['b7d1', undefined, undefined]);
    expect(received[0]).toMatchObject({ authorization: 'Bearer t', contentType: 'application/json' });
    // @ts-expect-error only operations that take a key have the option
    await cloud.registerSite({ uid: 'u' }, { idempotencyKey: 'b7d1' });
  });

  it('a query goes to the address and the rest of the fields into the body where an operation has both', () => {
    const { announceProxy } = clientRoutes(internalOperations);
    const fields = { name: 'eu 1', revocations_since: '2026-01-01T00:00:00Z', region: 'eu' };
    expect(requestOf(announceProxy, fields)).toEqual({
      method: 'PUT',
      path: '/api/v1/proxies/eu%201',
      query: { revocations_since: '2026-01-01T00:00:00Z' },
      body: { region: 'eu' },
    });
  });

  it('a missing parameter of the path is refused with its name', () => {
    const missing = new TypeError('GET /api/v1/sites/{id} needs id');
    expect(() => requestOf(cloudRoutes.getSite)).toThrow(missing);
    expect(() => requestOf(cloudRoutes.getSite, { id: undefined })).toThrow(missing);
  });

  it('a request is given up when its signal aborts', async () => {
    const giving = new AbortController();
    answer = () => giving.abort();
    const error = await cloud
      .getSite({ id: 7 }, { signal: giving.signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: `Cannot reach ${url}: given up` });
    expect(received).toHaveLength(1);
  });

  it('a request is not sent when its signal has aborted before', async () => {
    const call = cloud.getCurrentUser({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toBeInstanceOf(ConnectionError);
    expect(received).toEqual([]);
  });

  it('the signal of many requests has no listeners after them', async () => {
    const { signal } = new AbortController();
    await cloud.getSite({ id: 7 }, { signal });
    await cloud.getSite({ id: 7 }, { signal }).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('an exception of the program is not reported as a connection that failed', async () => {
    const unsendable = { uid: 'u1', name: 7n as unknown as string };
    await expect(cloud.registerSite(unsendable)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('answers', () => {
  it('an answer in JSON is its value', async () => {
    answer = (response) => sendJson(response, 200, [{ id: 7 }]);
    expect(await cloud.listSites()).toEqual([{ id: 7 }]);
  });

  it('an answer without content is undefined', async () => {
    answer = (response) => response.writeHead(204).end();
    expect(await cloud.signOut()).toBeUndefined();
  });

  it('an answer in HTML is its text', async () => {
    answer = (response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Für alle</p>');
    expect(await cloud.getLegalText({ name: 'terms', organization_id: '7' })).toBe('<p>Für alle</p>');
    expect(received[0]?.request).toBe('GET /api/v1/legal/portal/terms?organization_id=7');
  });

  it('an image is a Blob with its bytes and media type, also where the answer leads to it', async () => {
    answer = (response, path) =>
      path.endsWith('/logo')
        ? response.writeHead(302, { location: `${path}/v1` }).end()
        : response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
    const logo = await cloud.getOrganizationLogo({ id: 7 });
    expect(logo.type).toBe('image/png');
    expect(await logo.bytes()).toEqual(PNG);
    expect(received.map(({ request }) => request)).toEqual([
      'GET /api/v1/organizations/7/logo',
      'GET /api/v1/organizations/7/logo/v1',
    ]);
  });
});
