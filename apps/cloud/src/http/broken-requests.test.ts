import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { tracingLogger } from '../../test/tracing-logger.ts';

const { logger, lines } = tracingLogger();
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({}, logger);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(() => {
  lines.length = 0;
});

async function dial(): Promise<Socket> {
  const { hostname, port } = new URL(cloud.url);
  const socket = inPieces(connect({ host: hostname, port: Number(port) }));
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and reads until the cloud closes the connection. */
async function exchange(bytes: string): Promise<{ status: number; type: string | undefined; body: unknown }> {
  const socket = await dial();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    type: /^content-type: (.*)$/im.exec(head)?.[1],
    body: JSON.parse(body),
  };
}

it.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
  ['a head of 100 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
  ['the same host twice', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
  ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
])('%s is refused with an error in the usual shape', async (_what, bytes, status) => {
  expect(await exchange(bytes)).toEqual({
    status,
    type: 'application/json; charset=utf-8',
    body: { error: expect.any(String) },
  });
});

it.each([
  '/healthz',
  '/',
  '/sign_in',
  '/api/v1/sites',
  '/portal/api/v1/session',
  '/oauth/authorize',
  '/mcp',
  '/metrics',
])('a request to %s without a host is 400 with its cause', async (path) => {
  const { status, body } = await exchange(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('The request has no Host header');
});

it.each(['HTTP/1.0', 'HTTP/1.1\r\nHost:', 'HTTP/1.1\r\nHost: [', 'HTTP/1.1\r\nHost: http://x/'])(
  'a request that begins with %j is answered without a failure',
  async (start) => {
    const { hostname, port } = new URL(cloud.url);
    for (const path of ['/', '/sign_in', '/portal/api/v1/session', '/oauth/authorize', '/mcp', '/metrics']) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(`GET ${path} ${start}\r\nConnection: close\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 [234]/);
    }
    expect((await exchange('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  },
);

it('HTTP/1.0 requests without a host, as load balancers send them, are answered', async () => {
  const { status } = await exchange('GET /healthz HTTP/1.0\r\n\r\n');
  expect(status).toBe(200);
});

it('a client that disconnects during its upload causes no warning in the log', async () => {
  const socket = await dial();
  socket.write(
    'POST /api/v1/sign_in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":',
  );
  // Answered after the cloud has read the first request up to where it breaks off.
  await exchange('GET /healthz HTTP/1.0\r\n\r\n');
  socket.destroy();
  await expect.poll(() => lines.join('')).toContain('the body broke off');
  expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
});

it('a cloud that stops waits for no body whose request it has refused', async () => {
  const stopping = await startTestCloud();
  const { hostname, port } = new URL(stopping.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let answers = '';
  socket.on('data', (chunk) => {
    answers += String(chunk);
  });
  socket.on('error', () => undefined);
  socket.write('POST /api/v1/uploads?name=a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nunfinished');
  await expect.poll(() => answers).toMatch(/^HTTP\/1\.1 401/);
  await stopping[Symbol.asyncDispose]();
  if (!socket.closed) await once(socket, 'close');
  // Without an answer to the body, which would be 408 once the time for it is up.
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});
