import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { socketPair } from '../test/tunnel-pair.ts';
import { Multiplexer } from './multiplexer.ts';
import { answerUnread, TunnelServer, UNREAD_HEADER } from './tunnel-server.ts';

let client: Multiplexer;
let server: Multiplexer;
let upgrades: number;
beforeEach(async () => {
  upgrades = 0;
  const http = new TunnelServer(
    { maxHeadBytes: 1_024 },
    {
      request: (req, res) => {
        if (req.url === '/elsewhere') answerUnread(res);
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
  expect(await answerOf('/', { 'x-long': 'x'.repeat(2_000) })).toMatchObject({ status: 431 });
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
