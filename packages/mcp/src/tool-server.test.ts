import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { NotFound, ValidationError } from '@heliograph/kit';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Allowed, double } from '../test/double.ts';
import { createToolServer } from './tool-server.ts';
import type { Tool } from './tools/tool.ts';

const failing = (name: string, error: unknown): Tool<Allowed> => ({
  name,
  title: name,
  description: name,
  input: Type.Object({}),
  output: Type.Object({}),
  isFor: () => true,
  run: () => Promise.reject(error),
});

const failures: unknown[] = [];
const server = createToolServer<Allowed>({
  name: 'test-server',
  version: '7',
  instructions: 'Double first.',
  tools: [
    double,
    failing('refuse', new NotFound('There is no such site: call find_sites')),
    failing('refuse_field', new ValidationError({ from: ['is in the future'] })),
    failing('break', new Error('a secret of the house')),
  ],
  onFailure: (error, toolName) => failures.push([toolName, error]),
  allowedOrigin: (origin) => origin === 'https://friend.example.org',
});

let http: Server;
let url: URL;
beforeAll(async () => {
  http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', headers } = request;
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const allowed = String(headers['x-allowed'] ?? 'double').split(',');
    const answer = await server.handle({ method, headers, body }, allowed);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  inPieces(http).listen(0, '127.0.0.1');
  // Longer than a test takes on a busy machine.
  http.keepAliveTimeout = 60_000;
  await once(http, 'listening');
  url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
});
afterAll(() => {
  http?.closeAllConnections();
  http?.close();
});
afterEach(() => failures.splice(0));

interface RpcAnswer {
  readonly jsonrpc: string;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result: {
    readonly tools: readonly { readonly name: string }[];
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent: Readonly<Record<string, unknown>>;
  };
}

/** As a client does that knows nothing but JSON over HTTP. */
async function post<Body = RpcAnswer>(
  body: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<{ status: number; headers: Headers; body: Body }> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method, headers: sent, ...content });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const rpc = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, given?: unknown) => post(rpc('tools/call', { name, arguments: given }));

describe('a simple client', () => {
  it('a client lists tools without a handshake and gets plain JSON', async () => {
    const { status, headers, body } = await post(rpc('tools/list'));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(body.result.tools[0]).toEqual({
      name: 'double',
      title: 'Double',
      description: 'Twice a number',
      inputSchema: JSON.parse(JSON.stringify(double.input)),
      outputSchema: JSON.parse(JSON.stringify(double.output)),
      annotations: {
        title: 'Double',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });

  it('a call returns the same content as text and as structure', async () => {
    const { body } = await call('double', { number: 21 });
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(body.result.structuredContent).toEqual({ doubled: 42, unit: 'W' });
    expect(JSON.parse(body.result.content[0]?.text ?? '')).toEqual({ doubled: 42, unit: 'W' });
  });

  it('a tool without required arguments is called without any', async () => {
    expect((await call('refuse')).body.result.isError).toBe(true);
  });
});

describe('every revision', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s: shakes hands', async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const hello = await post(rpc('initialize', params));
    expect(hello.body.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'test-server', version: '7' },
      instructions: 'Double first.',
      capabilities: { tools: {} },
    });
    const headers = version < '2025-06-18' ? undefined : { 'mcp-protocol-version': version };
    const ready = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
    expect(ready).toMatchObject({ status: 202, body: undefined });
    const { body } = await post(rpc('tools/call', { name: 'double', arguments: { number: 2 } }), headers);
    expect(body.result.structuredContent).toMatchObject({ doubled: 4 });
  });

  it.each([
    ['legacy', undefined],
    ['auto', '2026-07-28'],
  ] as const)("the SDK's client, %s", async (mode, version) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    try {
      if (version !== undefined) expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(client.getInstructions()).toBe('Double first.');
      expect((await client.listTools()).tools).toHaveLength(4);
      const { structuredContent } = await client.callTool({ name: 'double', arguments: { number: 5 } });
      expect(structuredContent).toEqual({ doubled: 10, unit: 'W' });
      await expect(client.callTool({ name: 'triple', arguments: {} })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('Unknown tool: triple'),
      });
    } finally {
      await client.close();
    }
  });

  it('a revision that there is not: refused', async () => {
    const answer = await post(rpc('tools/list'), { 'mcp-protocol-version': '2031-01-01' });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(Object) } });
  });

  it('batches of 2025-03-26: each call is answered, notifications are not', async () => {
    const one = rpc('tools/call', { name: 'double', arguments: { number: 1 } }, 'a');
    const cancel = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'a', reason: 'x' },
    };
    const { body } = await post<readonly object[]>([one, cancel, rpc('nonsense', {}, 'b')]);
    expect(body).toHaveLength(2);
    expect(body).toContainEqual(expect.objectContaining({ id: 'a', result: expect.any(Object) }));
    expect(body).toContainEqual(expect.objectContaining({ id: 'b', error: expect.any(Object) }));
    expect(await post([cancel, cancel])).toMatchObject({ status: 202, body: undefined });
  });

  it('subscriptions of 2026-07-28: nothing changes, so they end at once', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url));
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    await client.close();
  });
});

describe('what is refused', () => {
  const many = Array.from({ length: 17 }, (_, id) => rpc('tools/list', {}, id));
  it.each<[string, unknown, number, number]>([
    ['no JSON-RPC', { hello: 'world' }, 400, -32600],
    ['a number', 7, 400, -32600],
    ['null', null, 400, -32600],
    ['an empty body', undefined, 400, -32700],
    ['an empty batch', [], 400, -32600],
    ['a batch with rubbish', [rpc('tools/list'), 7], 400, -32600],
    ['a batch with one id twice', [rpc('tools/list'), rpc('tools/list')], 400, -32600],
    ['a batch that is too long', many, 400, -32600],
    ['a batch of too many notifications', many.map(({ id: _id, ...rest }) => rest), 400, -32600],
    ['another version of JSON-RPC', { ...rpc('tools/list'), jsonrpc: '1.0' }, 400, -32600],
    ['an unknown method', rpc('tools/delete'), 200, -32601],
    ['an unknown tool', rpc('tools/call', { name: 'triple' }), 200, -32602],
    ['a tool without a name', rpc('tools/call', {}), 200, -32602],
    ['arguments that are no object', rpc('tools/call', { name: 'double', arguments: [1] }), 200, -32602],
    ['an id that is null', rpc('tools/list', {}, null), 400, -32600],
  ])('%s', async (_what, body, status, code) => {
    expect(await post(body)).toMatchObject({ status, body: { jsonrpc: '2.0', error: { code } } });
  });

  it.each([[1.5], [-0.1], [true], [{ a: 1 }], [[1]]])(
    'a request whose id is %j is refused without repeating it',
    async (id) => {
      for (const body of [rpc('tools/list', undefined, id), [rpc('tools/list', undefined, id)]]) {
        for (const headers of [{}, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }]) {
          const answer = await post<RpcAnswer & { id: unknown }>(body, headers);
          expect(answer).toMatchObject({ status: 400, body: { id: null, error: { code: -32_600 } } });
        }
      }
    },
  );

  it.each(['GET', 'DELETE', 'PUT'])('%s: 405', async (method) => {
    const answer = await post(undefined, {}, method);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it.each([
    ['text/plain', 415],
    ['application/json; charset=utf-8', 200],
  ])('content type %s: %i', async (type, status) => {
    expect((await post(rpc('tools/list'), { 'content-type': type })).status).toBe(status);
  });

  it.each([
    ['https://evil.example.org', 403],
    ['null', 403],
    ['https://friend.example.org', 200],
  ])('a page of %s: %i', async (origin, status) => {
    expect((await post(rpc('tools/list'), { origin })).status).toBe(status);
  });
});

describe('a tool', () => {
  it('a tool is hidden from callers that may not use it', async () => {
    const headers = { 'x-allowed': 'nothing' };
    const { body } = await post(rpc('tools/list'), headers);
    expect(body.result.tools).toHaveLength(3);
    const refused = await post(rpc('tools/call', { name: 'double', arguments: { number: 1 } }), headers);
    const unknown = await post(rpc('tools/call', { name: 'double', arguments: { number: 1 } }, 1), {
      'x-allowed': '',
    });
    expect(refused.body).toEqual(unknown.body);
    expect(refused.body.error).toMatchObject({ code: -32602, message: 'Unknown tool: double' });
    expect(server.hasToolsFor(['nothing'])).toBe(true);
  });

  it.each<[string, unknown, string[]]>([
    ['a missing argument', {}, ['number is missing', 'It takes number, unit, notes']],
    ['a wrong type', { number: '7 W' }, ['number must be integer']],
    ['too much', { number: 101 }, ['number must be <= 100']],
    ['a wrong word', { number: 1, unit: 'MW' }, ['unit must be one of W, kWh']],
    ['an unknown argument', { number: 1, watts: 1 }, ['watts is not an argument of this tool']],
    ['a long text', { number: 1, notes: ['abcd'] }, ['notes.0 must not have more than 3 characters']],
  ])('%s: a result that says what is wrong', async (_what, given, texts) => {
    const { body } = await call('double', given);
    expect(body.result.isError).toBe(true);
    for (const text of texts) expect(body.result.content[0]?.text).toContain(text);
  });

  it.each([
    ['refuse', 'There is no such site: call find_sites'],
    ['refuse_field', 'from is in the future'],
  ])('%s: what it refuses with is a result', async (name, text) => {
    const { status, body } = await call(name, {});
    expect(status).toBe(200);
    expect(body.result).toEqual({ isError: true, content: [{ type: 'text', text }] });
    expect(failures).toEqual([]);
  });

  it('an internal failure is hidden from the caller and reported to the server', async () => {
    const { body } = await call('break', {});
    expect(body.result).toMatchObject({ isError: true });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(failures).toEqual([['break', expect.objectContaining({ message: 'a secret of the house' })]]);
  });
});
