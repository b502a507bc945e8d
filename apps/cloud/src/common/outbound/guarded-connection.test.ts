import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type GuardedConnection, GuardedFetch } from './guarded-fetch.ts';

/** Called with each message, and its number on its connection. */
type Receive = (socket: TLSSocket, number: number) => void;

/** A message of a test: its body marks its end. */
const END = '<end>';

let server: Server;
let receive: Receive;
/** The connections of a test, with the number of messages of each. */
let connections: { readonly socket: TLSSocket; messages: number }[] = [];
let connection: GuardedConnection;

beforeAll(async () => {
  server = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, (socket) => {
    const one = { socket, messages: 0 };
    connections.push(one);
    let unread = '';
    // The sender may end a connection at any time.
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (data: string) => {
      unread += data;
      if (!unread.endsWith(END)) return;
      unread = '';
      one.messages += 1;
      receive(socket, one.messages);
    });
  });
  await new Promise<void>((resolve) => inPieces(server).listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  connections = [];
  connection = await new GuardedFetch(() => 'cloud.example.org', {
    resolve: async () => ['127.0.0.1'],
    allowAddress: () => true,
    ca: TEST_TLS.cert,
    port: (server.address() as AddressInfo).port,
  }).connect('https://localhost/hook');
});
afterEach(() => {
  vi.useRealTimers();
  connection.close();
  for (const { socket } of connections) socket.destroy();
});

const post = () => connection.post({}, `{}${END}`);

const messages = () => connections.map((one) => one.messages);

const headers = (...lines: string[]) =>
  `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

const cookies = Array.from({ length: 60 }, (_, n) => `Set-Cookie: c${n}=${'v'.repeat(150)}; Path=/; Secure`);

const megabytes = Buffer.alloc(3_000_000, 'x');

const ANSWERS: readonly (readonly [string, number, Receive])[] = [
  ['a body without its end', 200, (socket) => socket.write(`${headers('Content-Length: 20')}ok`)],
  ['a body of no length that does not end', 200, (socket) => socket.write(`${headers()}ok`)],
  [
    'chunks that do not end',
    200,
    (socket) => socket.write(`${headers('Transfer-Encoding: chunked')}1\r\na\r\n1\r\nb\r\n`),
  ],
  ['a body that is cut off', 200, (socket) => socket.end(`${headers('Content-Length: 20')}ok`)],
  [
    'chunks that are cut off',
    200,
    (socket) => socket.end(`${headers('Transfer-Encoding: chunked')}2\r\nok\r\n`),
  ],
  [
    'a body that is no chunk',
    200,
    (socket) => socket.write(`${headers('Transfer-Encoding: chunked')}ok\r\n`),
  ],
  ['60 cookies', 200, (socket) => socket.write(headers(...cookies, 'Content-Length: 0'))],
  [
    'a header of 9 KiB',
    200,
    (socket) => socket.write(headers(`X-Policy: ${'p'.repeat(9 * 1024)}`, 'Content-Length: 0')),
  ],
  ['a plain body', 200, (socket) => socket.write(`${headers('Content-Length: 2')}ok`)],
  ['chunks', 200, (socket) => socket.write(`${headers('Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`)],
  [
    'a compressed body',
    200,
    (socket) => socket.write(`${headers('Content-Encoding: gzip', 'Content-Length: 2')}ok`),
  ],
  [
    'a body of 3 MB',
    200,
    (socket) => {
      socket.write(headers(`Content-Length: ${megabytes.length}`));
      socket.write(megabytes);
    },
  ],
  [
    'early hints before it',
    200,
    (socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${headers('Content-Length: 2')}ok`),
  ],
  ['a body of no length that ends', 200, (socket) => socket.end(`${headers()}ok`)],
  ['no content', 204, (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')],
  [
    'a redirect',
    302,
    (socket) =>
      socket.write('HTTP/1.1 302 Found\r\nLocation: https://localhost/other\r\nContent-Length: 0\r\n\r\n'),
  ],
  [
    'an error whose body does not end',
    500,
    (socket) => socket.write('HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\nno'),
  ],
];

it.each(ANSWERS)(
  'the status of an answer decides, and the next message arrives: %s',
  async (_, status, answer) => {
    receive = answer;
    // The clock stands still: the status is there before any limit.
    await expect(post()).resolves.toBe(status);
    receive = (socket) => socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
    const next = post();
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(next).resolves.toBe(202);
    expect(messages().reduce((sum, number) => sum + number)).toBe(2);
  },
);

it('an answer that is read to its end leaves the connection for the next message', async () => {
  receive = (socket) => socket.write(`${headers('Content-Length: 2')}ok`);
  expect([await post(), await post(), messages()]).toEqual([200, 200, [2]]);
});

it('a body that does not end costs its connection after a second', async () => {
  receive = (socket) => socket.write(`${headers('Content-Length: 20')}ok`);
  await post();
  const closed = new Promise((resolve) => connections[0]?.socket.once('close', resolve));
  await vi.advanceTimersByTimeAsync(999);
  expect(connections[0]?.socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
});

it('a message on a reused connection that the receiver closed arrives over a fresh one', async () => {
  receive = (socket, number) => {
    if (number === 1) socket.write(`${headers('Content-Length: 2')}ok`);
    else socket.destroy();
  };
  expect([await post(), await post(), messages()]).toEqual([200, 200, [2, 1]]);
});

it('a message is repeated once, and only on a reused connection', async () => {
  let answers = 1;
  receive = (socket) => {
    if (answers > 0) socket.write(`${headers('Content-Length: 2')}ok`);
    else socket.destroy();
    answers -= 1;
  };
  await post();
  await expect(post()).rejects.toThrow('failed');
  expect(messages()).toEqual([2, 1]);
  await expect(post()).rejects.toThrow('failed');
  expect(messages()).toEqual([2, 1, 1]);
});

it('a message whose answer broke off within its header is not repeated', async () => {
  receive = (socket, number) => {
    if (number === 1) socket.write(`${headers('Content-Length: 2')}ok`);
    else socket.end('HTTP/1.1 20');
  };
  await post();
  await expect(post()).rejects.toThrow('failed');
  expect(messages()).toEqual([2]);
});
