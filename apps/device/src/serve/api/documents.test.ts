import { deviceOperations } from '@heliograph/contracts/operations/device';
import { resolvedSchema } from '@heliograph/dev/testing/resolved-schema';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';
import { connectStream, type StreamClient } from '../../../test/serve/stream/stream-client.ts';

interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: Readonly<
    Record<string, { readonly content?: { 'application/json'?: { schema: object } } }>
  >;
}

interface Binding {
  readonly query: { readonly properties: object };
  readonly headers: { readonly properties: object };
}

interface AsyncApi {
  readonly asyncapi: string;
  readonly info: { readonly description: string };
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly bindings: { readonly ws: Binding } }>
  >;
  readonly operations: Readonly<
    Record<string, { action: string; channel: { $ref: string }; messages: readonly { $ref: string }[] }>
  >;
  readonly servers: Readonly<
    Record<string, { readonly protocol: string; readonly security: readonly { readonly $ref: string }[] }>
  >;
  readonly components: {
    readonly securitySchemes: Readonly<
      Record<string, { readonly scheme?: string; readonly in?: string; readonly name?: string }>
    >;
    readonly schemas: Readonly<Record<string, object>>;
    readonly messages: Readonly<
      Record<
        string,
        { readonly payload: object; readonly examples: readonly { readonly payload: unknown }[] }
      >
    >;
  };
}

let device: TestDevice;
beforeAll(async () => {
  device = await startTestDevice();
});
afterAll(() => device?.stop());

async function document<Document>(path: string): Promise<Document> {
  return (await (await fetch(`${device.api.url}${path}`)).json()) as Document;
}

describe('/openapi.json of a device', () => {
  it('every operation that takes the device password has the 429 of too many wrong ones', async () => {
    const { paths } = await document<OpenApi>('/openapi.json');
    const takers = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .filter(({ security }) => security.some((alternative) => 'password' in alternative));
    expect(takers.length).toBeGreaterThan(10);
    for (const { operationId, responses } of takers) {
      expect(responses['429'], operationId).toMatchObject({ headers: { 'Retry-After': {} } });
    }
  });

  it('every operation that the proxy passes on has the statuses of a device that is not reached', async () => {
    const { paths } = await document<OpenApi>('/openapi.json');
    const published = Object.values(paths).flatMap((path) => Object.values(path));
    const passed = Object.values(deviceOperations).filter(
      ({ requires }) => requires !== 'own_page' && requires !== 'first_run',
    );
    expect(passed.length).toBeGreaterThan(10);
    for (const { id } of passed) {
      const operation = published.find(({ operationId }) => operationId === id);
      const { operationId, responses = {}, security = [] } = operation ?? {};
      expect(operationId).toBe(id);
      expect(security, id).toContainEqual({ token: [], siteId: [], siteKey: [] });
      expect(Object.keys(responses), id).toEqual(expect.arrayContaining(['401', '502', '503', '504']));
      expect(responses['503'], id).toMatchObject({ headers: { 'Retry-After': {} } });
    }
  });

  it('every operation of the contract is in the document, which needs no credentials', async () => {
    const { openapi, paths } = await document<OpenApi>('/openapi.json');
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(openapi).toBe('3.1.0');
    expect(ids.toSorted()).toEqual(Object.keys(deviceOperations).toSorted());
  });

  it('the first server is the address of the request', async () => {
    for (const address of [device.api.url, device.api.url.replace('127.0.0.1', 'localhost')]) {
      const { servers } = (await (await fetch(`${address}/openapi.json`)).json()) as OpenApi;
      expect(servers.map(({ url }) => url)).toEqual([address, 'http://{device}', 'https://{proxy}']);
    }
  });

  it.each([
    [{ 'x-forwarded-proto': 'https' }, (host: string) => `https://${host}`],
    [
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'home.example.org' },
      () => 'https://home.example.org',
    ],
    [{ 'x-forwarded-proto': 'javascript' }, (host: string) => `http://${host}`],
  ])('behind a reverse proxy that sends %j the first server is its address', async (headers, expected) => {
    const answer = await fetch(`${device.api.url}/openapi.json`, { headers });
    const { servers } = (await answer.json()) as OpenApi;
    expect(servers[0]?.url).toBe(expected(new URL(device.api.url).host));
  });

  it.each([
    '/api/v1/metrics',
    '/api/v1/metrics?discovery&topic=inverter*',
    '/api/v1/system',
    '/api/v1/history?topic=total/*',
    '/api/v1/settings/log',
    '/api/v1/audit',
    '/api/v1/session',
    '/api/v1/nothing-matches-this-path',
  ])('the answer of GET %s is as the document describes it', async (path) => {
    const { paths, components } = await document<OpenApi>('/openapi.json');
    const answer = await device.fetch(path);
    const operation = paths[path.replace(/\?.*/, '')]?.get;
    if (operation === undefined) {
      expect(answer.status).toBe(404);
      return;
    }
    const schema = operation.responses[answer.status]?.content?.['application/json']?.schema;
    expect(Compile(resolvedSchema(schema, components.schemas) as object).Errors(await answer.json())).toEqual(
      [true, []],
    );
  });
});

describe('/asyncapi.json of a device', () => {
  const frames = async (client: StreamClient): Promise<StreamClient['frames']> => {
    client.send('1', '2', 'metrics', 'phx_join', { topics: [{ topic: '*' }] });
    await client.next('data');
    client.send('1', '3', 'metrics', 'set', { topic: 'inverter_1/max_charge_current', value: '40' });
    await client.next('set_result');
    await client.next('phx_reply');
    client.send(null, '4', 'phoenix', 'heartbeat', {});
    await client.next('phx_reply');
    return client.frames;
  };
  const NAMES: Readonly<Record<string, string>> = { phx_reply: 'reply' };

  it('the document names both paths of the stream', async () => {
    const { asyncapi, channels } = await document<AsyncApi>('/asyncapi.json');
    expect(asyncapi).toBe('3.0.0');
    expect(Object.values(channels).map(({ address }) => address)).toEqual([
      '/api/websocket',
      '/api/socket/websocket',
    ]);
  });

  it('both channels have operations, and what a browser and the proxy need', async () => {
    const { channels, operations, servers } = await document<AsyncApi>('/asyncapi.json');
    const query = ['vsn', 'password', 'token', 'site_id', 'site_key'];
    for (const [name, { bindings }] of Object.entries(channels)) {
      expect(Object.keys(bindings.ws.query.properties)).toEqual(query);
      expect(Object.keys(bindings.ws.headers.properties)).toEqual(['Authorization', 'Site-Id', 'Site-Key']);
      const own = Object.values(operations).filter(({ channel }) => channel.$ref === `#/channels/${name}`);
      expect(own.map(({ action }) => action).toSorted()).toEqual(['receive', 'send']);
      for (const { messages } of own)
        for (const { $ref } of messages) expect($ref).toMatch(new RegExp(`^#/channels/${name}/messages/`));
    }
    expect(Object.values(servers).map(({ protocol }) => protocol)).toEqual(['wss', 'ws']);
  });

  it('every frame that the device sends is as the document describes it', async () => {
    const { components } = await document<AsyncApi>('/asyncapi.json');
    const url = `${device.api.url.replace('http', 'ws')}/api/websocket?password=${encodeURIComponent(PASSWORD)}`;
    const sent = await frames(await connectStream(`${url}&vsn=2.0.0`));
    expect(new Set(sent.map(([, , , event]) => event))).toEqual(
      new Set(['phx_reply', 'system', 'definition', 'data', 'set_result']),
    );
    for (const frame of sent) {
      const message = components.messages[NAMES[frame[3]] ?? frame[3]];
      const schema = resolvedSchema(message?.payload, components.schemas);
      expect(Compile(schema as object).Errors(frame)).toEqual([true, []]);
    }
  });

  it('the document states that a refused write is replied to with ok, which the device does', async () => {
    const { info } = await document<AsyncApi>('/asyncapi.json');
    expect(info.description).toMatch(/status `ok` also when nothing was\swritten/);
    const url = `${device.api.url.replace('http', 'ws')}/api/websocket?password=${encodeURIComponent(PASSWORD)}`;
    const client = await connectStream(`${url}&vsn=2.0.0`);
    client.send('1', '2', 'metrics', 'phx_join', {});
    client.send('1', '3', 'metrics', 'set', { topic: 'x', value: '1' });
    expect((await client.next('set_result'))[4].result).toBe('error');
    expect((await client.next('phx_reply'))[4].status).toBe('ok');
  });

  it('the stream opens with each scheme of the device for its password, and with no other', async () => {
    const { servers, components } = await document<AsyncApi>('/asyncapi.json');
    const schemesOf = (server: string) =>
      (servers[server]?.security ?? []).map(
        ({ $ref }) => components.securitySchemes[$ref.split('/').at(-1) ?? ''],
      );
    const ofTokens = [{ scheme: 'bearer' }, { in: 'query', name: 'token' }];
    expect(schemesOf('proxy')).toMatchObject(ofTokens);
    expect(schemesOf('device')).toMatchObject([{ in: 'query', name: 'password' }, ...ofTokens]);
    const url = `${device.api.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0`;
    const client = await connectStream(`${url}&password=${encodeURIComponent(PASSWORD)}`);
    client.socket.close();
    const basic = `Basic ${Buffer.from(`:${PASSWORD}`).toString('base64')}`;
    await expect(connectStream(url, { authorization: basic })).rejects.toThrow('401');
  });

  it('every example of the document is a frame of its message', async () => {
    const { components } = await document<AsyncApi>('/asyncapi.json');
    for (const { payload, examples } of Object.values(components.messages)) {
      const validator = Compile(resolvedSchema(payload, components.schemas) as object);
      for (const example of examples) expect(validator.Errors(example.payload)).toEqual([true, []]);
    }
  });
});

it.each(['/openapi.json', '/asyncapi.json'])(
  '%s of a device is sent compressed, and not again to a client that has it',
  async (path) => {
    const headers = { 'accept-encoding': 'gzip, br' };
    const first = await fetch(device.api.url + path, { headers });
    expect(first.headers.get('content-encoding')).toBe('br');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(device.api.url + path, { headers: { ...headers, 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  },
);
