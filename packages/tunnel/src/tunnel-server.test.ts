import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { socketPair } from '../test/tunnel-pair.ts';
import { Multiplexer } from './multiplexer.ts';
import { answerUnread, TunnelServer, UNREAD_HEADER } from './tunnel-server.ts';

const MAX_HEAD_BYTES = 32 * 1024;
const MAX_HEADS_BYTES = 1024 * 1024;

let client: Multiplexer;
let server: Multiplexer;
let upgrades: number;
/** Answers that are due. */
let slow: ServerResponse[];
beforeEach(async () => {
  slow = [];
  upgrades = 0;
  const http = new TunnelServer(
    { maxHeadBytes: MAX_HEAD_BYTES, maxHeadsBytes: MAX_HEADS_BYTES },
    {
      request: (req, res) => {
        if (req.url === '/elsewhere') answerUnread(res);
        else if (req.url === '/slow') slow.push(res);
        else res.end('an answer');
      },
      upgrade: () => upgrades++,
    },
  );
  const [near, far] = await socketPair();
  const listener = { onSignal: () => undefined, onLeave: () => undefined, onClose: () => undefined };
  client = new Multiplexer({ socket: near, opens: true }, listener);
  server = new Multiplexer(
    { socket: far, opens: false },
    { ...listener, onConnection: (connection) => http.serve(connection) },
  );
});
afterEach(() => {
  client.destroy();
  server.destroy();
});

/** A request on a connection of its own. */
function send(path: string, headers: Record<string, string> = {}) {
  const connection = client.open();
  if (connection === undefined) throw new Error('the tunnel opens none');
  connection.on('error', () => undefined);
  const req = request({ path, headers, host: 'x', createConnection: () => connection });
  req.on('error', () => undefined).end();
  return { req, connection };
}

async function answerOf(path: string, headers?: Record<string, string>) {
  const [res] = await once(send(path, headers).req, 'response');
  return { status: res.statusCode, isUnread: UNREAD_HEADER in res.headers, body: await text(res) };
}

test('requests are answered, and one with a head beyond the limit is refused', async () => {
  expect(await answerOf('/')).toEqual({ status: 200, isUnread: false, body: 'an answer' });
  expect(await answerOf('/', { 'x-long': 'x'.repeat(MAX_HEAD_BYTES) })).toMatchObject({ status: 431 });
});

test('bytes that are no request are answered, and the answer is not lost in the end of the connection', async () => {
  const connection = client.open();
  if (connection === undefined) throw new Error('the tunnel opens none');
  connection.write('A!B / HTTP/9.9\r\n\r\n');
  expect(await text(connection)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n.*"error"/s);
});

test('a request that goes elsewhere is answered as unread', async () => {
  expect(await answerOf('/elsewhere')).toEqual({ status: 503, isUnread: true, body: '' });
});

const WEB_SOCKET = { connection: 'Upgrade', upgrade: 'websocket' };

test('an offer of another protocol than WebSocket is an ordinary request', async () => {
  expect(await answerOf('/', { connection: 'Upgrade', upgrade: 'h2c' })).toMatchObject({ status: 200 });
  expect(upgrades).toBe(0);
});

test('everything that comes after the end has taken its leave is unread', async () => {
  server.leave();
  const [plain, upgrade] = await Promise.all([answerOf('/'), answerOf('/', WEB_SOCKET)]);
  expect([plain.isUnread, upgrade.isUnread, upgrades]).toEqual([true, true, 0]);
});

test('a WebSocket that is taken back while the end leaves does no harm', async () => {
  server.leave();
  const { connection } = send('/', WEB_SOCKET);
  setImmediate(() => connection.destroy());
  // Its error would have no other listener.
  await expect.poll(() => server.size).toBe(0);
});

const HALF_HEAD = `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(30_000)}`;

describe('heads that are not complete', () => {
  test.each([
    ['a first half head', ['', HALF_HEAD]],
    ['a half head behind a request', ['GET / HTTP/1.1\r\nhost: x\r\n\r\n', HALF_HEAD]],
    ['a half head in one write with a request', [`GET / HTTP/1.1\r\nhost: x\r\n\r\n${HALF_HEAD}`]],
    [
      'a half head in one write with a body',
      [`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\nx${HALF_HEAD}`],
    ],
  ])('connections that hold %s together keep 4 MiB at most', async (_kind, writes) => {
    for (let n = 0; n < 200; n++) {
      const connection = client.open();
      connection?.on('error', () => undefined).resume();
      for (const part of writes) if (part !== '') connection?.write(part);
    }
    await expect.poll(() => server.size).toBe(Math.floor((4 * 1024 * 1024) / HALF_HEAD.length));
    // A whole head is answered meanwhile, and those that end give their room back.
    expect(await answerOf('/')).toMatchObject({ status: 200 });
  });

  test('a connection that ends gives its room back, and one that goes on to a WebSocket or a next request has none', async () => {
    for (let n = 0; n < 300; n++) {
      const connection = client.open();
      connection?.on('error', () => undefined).write(HALF_HEAD);
      connection?.destroy();
      if (n % 30 === 0) expect(await answerOf('/')).toMatchObject({ status: 200 });
    }
    const long = { 'x-long': 'x'.repeat(30_000) };
    const open = Array.from({ length: 200 }, (_, n) =>
      send('/', n % 2 === 0 ? { ...WEB_SOCKET, ...long } : long),
    );
    await expect.poll(() => upgrades).toBe(100);
    expect(open.every(({ connection }) => !connection.errored)).toBe(true);
    expect(await answerOf('/', long)).toMatchObject({ status: 200 });
  });
});

describe('heads of requests under way', () => {
  const LONG = { 'x-long': 'x'.repeat(30_000) };

  test('a request beyond 1 MiB of them is 503, and is served when others have their answers', async () => {
    const sent = Array.from({ length: 100 }, () => send('/slow', LONG).req);
    const busy: unknown[] = [];
    for (const req of sent)
      req.once('response', (res) => busy.push([res.statusCode, res.headers['retry-after']]));
    await expect.poll(() => slow.length + busy.length).toBe(100);
    expect(slow.length).toBe(Math.floor(MAX_HEADS_BYTES / 30_100));
    expect(new Set(busy.map(String))).toEqual(new Set(['503,1']));
    expect(await answerOf('/', LONG)).toMatchObject({ status: 503, body: '{"error":"Site is busy"}' });
    for (const res of slow) res.end();
    await expect.poll(async () => (await answerOf('/', LONG)).status).toBe(200);
  });

  test('a request that is taken back gives its room back', async () => {
    for (let n = 0; n < 3; n++) {
      const sent = Array.from({ length: 30 }, () => send('/slow', LONG).req);
      await expect.poll(() => slow.length).toBe(30 * (n + 1));
      for (const req of sent) req.destroy();
      await expect.poll(() => server.size).toBe(0);
    }
    expect(await answerOf('/', LONG)).toMatchObject({ status: 200 });
  });

  test('a connection with more of them behind one that has no answer yet is ended', async () => {
    const connection = client.open();
    connection?.on('error', () => undefined).resume();
    connection?.write(`GET /slow HTTP/1.1\r\nhost: x\r\nx-long: ${LONG['x-long']}\r\n\r\n`.repeat(100));
    await expect.poll(() => slow.length).toBeGreaterThan(0);
    await expect.poll(() => server.size).toBe(0);
    expect(slow.length).toBeLessThan(100);
    expect(await answerOf('/', LONG)).toMatchObject({ status: 200 });
  });
});
