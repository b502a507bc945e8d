import { once } from 'node:events';
import {
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { frame } from '../testing/raw-device.ts';
import { ClientSession, SessionEnding } from './client-session.ts';
import type { ClientStream } from './client-stream.ts';
import { DATA, GOAWAY, HEADERS, PING, PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE } from './frames.ts';

const STREAM_WINDOW = 65_536;
const OPTIONS = { streamWindowBytes: STREAM_WINDOW, sessionWindowBytes: 1024 * 1024, maxHeadBytes: 16_384 };
const GET = [':method', 'GET', ':scheme', 'http', ':path', '/', ':authority', 'x'];
const POST = [':method', 'POST', ...GET.slice(2)];
const MIB = 1024 * 1024;

let server: Http2Server | Server;
let session: ClientSession;
let streams: ServerHttp2Stream[] = [];
let peer: ServerHttp2Session | undefined;
afterEach(() => {
  session.destroy();
  peer?.destroy();
  server.close();
  streams = [];
});

async function connectTo(listening: Http2Server | Server): Promise<ClientSession> {
  server = listening;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has no other kind of address.
  const { port } = server.address() as AddressInfo;
  session = new ClientSession(connect(port, '127.0.0.1'), OPTIONS);
  return session;
}

/** Speaks with Node's server. */
async function start(
  settings: Parameters<typeof createServer>[0] = {},
  handle: (stream: ServerHttp2Stream) => void = () => undefined,
): Promise<ClientSession> {
  const http2 = createServer(settings);
  http2.on('session', (made) => {
    peer = made;
  });
  http2.on('stream', (stream) => {
    stream.on('error', () => undefined);
    streams.push(stream);
    handle(stream);
  });
  await connectTo(http2);
  session.on('error', () => undefined);
  await once(session, 'remoteSettings');
  return session;
}

/** Speaks with a server that writes its frames by hand. */
async function startRaw(): Promise<{ session: ClientSession; other: Socket }> {
  const listening = createTcpServer();
  const connected = once(listening, 'connection');
  await connectTo(listening);
  const [other] = await connected;
  other.on('error', () => undefined).resume();
  other.write(frame(SETTINGS, 0, 0));
  await once(session, 'remoteSettings');
  return { session, other };
}

const headOf = async (stream: ClientStream) => (await once(stream, 'response'))[0];

describe('ClientSession with the server of Node', () => {
  test('bodies of megabytes pass in both directions at once, and arrive whole', async () => {
    await start({}, (stream) => {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
    });
    const body = Buffer.alloc(4 * MIB, 'abcdefg');
    const sendings = [1, 2, 3].map((count) => {
      const stream = session.request(POST, true);
      stream.end(body.subarray(0, count * MIB));
      return buffer(stream);
    });
    const echoes = await Promise.all(sendings);
    expect(echoes.map((echo, i) => echo.equals(body.subarray(0, (i + 1) * MIB)))).toEqual([true, true, true]);
  });

  test('an answer that is not read holds its sender back, and others pass', async () => {
    await start({}, (stream) => {
      stream.respond({ ':status': 200 });
      if (streams.length === 1) stream.write(Buffer.alloc(4 * MIB));
      else stream.end('other');
    });
    const unread = session.request(GET, false);
    await headOf(unread);
    expect(await text(session.request(GET, false))).toBe('other');
    expect(unread.readableLength).toBeLessThanOrEqual(STREAM_WINDOW + 32 * 1024);
    let bytes = 0;
    unread.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await expect.poll(() => bytes).toBe(4 * MIB);
  });

  test('an answer that is cancelled unread makes room for others', async () => {
    await start({}, (stream) => {
      stream.respond({ ':status': 200 });
      stream.write(Buffer.alloc(STREAM_WINDOW));
    });
    for (let i = 0; i < 64; i++) {
      const stream = session.request(GET, false);
      await headOf(stream);
      stream.cancel();
    }
    const last = session.request(GET, false);
    let bytes = 0;
    last.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await expect.poll(() => bytes).toBe(STREAM_WINDOW);
  });

  test('a request beyond the number that the server takes at a time waits for another to end', async () => {
    await start({ settings: { maxConcurrentStreams: 1 } }, (stream) => {
      stream.respond({ ':status': 200 });
      if (streams.length > 1) stream.end(String(streams.length));
    });
    const first = session.request(GET, false);
    const second = session.request(POST, true);
    const third = session.request(GET, false);
    const dropped = session.request(GET, false);
    second.end('waits too');
    dropped.cancel();
    await headOf(first);
    expect(streams).toHaveLength(1);
    streams[0]?.end('first');
    expect(await Promise.all([first, second, third].map((stream) => text(stream)))).toEqual([
      'first',
      '2',
      '3',
    ]);
    expect(streams).toHaveLength(3);
  });

  test('a request that waits when the session closes may be sent elsewhere', async () => {
    await start({ settings: { maxConcurrentStreams: 1 } }, (stream) => stream.respond({ ':status': 200 }));
    const first = session.request(GET, false);
    await headOf(first);
    const waiting = session.request(GET, false);
    const closed = once(waiting, 'close');
    session.close();
    await closed;
    expect(waiting.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM);
    streams[0]?.end('first');
    expect(await text(first)).toBe('first');
  });

  test('a head that is longer than a frame reaches the server', async () => {
    await start({ maxHeaderListPairs: 100, settings: { maxHeaderListSize: 100_000 } }, (stream) =>
      stream.respond({ ':status': 200 }, { endStream: true }),
    );
    const seen = once(server, 'stream');
    session.request([...GET, 'x-long', 'v'.repeat(40_000)], false).resume();
    expect((await seen)[1]['x-long']).toHaveLength(40_000);
  });

  test('requests that the server did not begin before it left may be sent elsewhere', async () => {
    await start();
    const begun = session.request(GET, false);
    await expect.poll(() => streams).toHaveLength(1);
    const late = session.request(GET, false);
    const goaway = once(session, 'goaway');
    peer?.goaway(constants.NGHTTP2_NO_ERROR, 1);
    await goaway;
    await expect.poll(() => late.destroyed).toBe(true);
    expect(late.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM);
    expect(() => session.request(GET, false)).toThrow(SessionEnding);
    streams[0]?.respond({ ':status': 200 });
    streams[0]?.end('still');
    expect(await text(begun)).toBe('still');
    await expect.poll(() => session.destroyed).toBe(true);
  });

  test('an answer to HEAD may declare a length', async () => {
    await start({}, (stream) => stream.respond({ ':status': 200, 'content-length': 5 }, { endStream: true }));
    const stream = session.request([':method', 'HEAD', ...GET.slice(2)], false);
    const head = await headOf(stream);
    expect(head).toMatchObject({ status: 200, contentLength: 5, isWhole: true });
    expect(await text(stream)).toBe('');
  });

  test('hints before an answer and trailers after it are ignored', async () => {
    await start({}, (stream) => {
      stream.additionalHeaders({ ':status': 103, link: '</a>; rel=preload' });
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }));
      stream.end('body');
    });
    const stream = session.request(GET, false);
    expect((await headOf(stream)).status).toBe(200);
    expect(await text(stream)).toBe('body');
  });

  test('a server that answers before it has the whole body gets no more of it', async () => {
    await start({}, (stream) => {
      stream.respond({ ':status': 413 });
      stream.end('too long');
      stream.close(constants.NGHTTP2_NO_ERROR);
    });
    const stream = session.request(POST, true);
    stream.write(Buffer.alloc(MIB));
    expect((await headOf(stream)).status).toBe(413);
    expect(await text(stream)).toBe('too long');
  });
});

const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

describe('ClientSession with a server that breaks the rules', () => {
  test.each<[string, Buffer]>([
    ['data of no stream', frame(DATA, 0, 0, 'x')],
    ['data of a stream that was not opened', frame(DATA, 0, 9, 'x')],
    ['an answer on a stream of the server', frame(HEADERS, 4, 2, Buffer.from([0x88]))],
    ['a head that does not decode', frame(HEADERS, 4, 1, Buffer.from([0x80]))],
    [
      'a frame between the parts of a head',
      Buffer.concat([frame(HEADERS, 0, 1), frame(PING, 0, 0, zeros(8))]),
    ],
    ['a head that goes on without a beginning', frame(9, 4, 1)],
    ['more padding than bytes', frame(DATA, 8, 1, Buffer.from([5, 0]))],
    ['a push', frame(PUSH_PROMISE, 4, 1, zeros(4))],
    ['a reset of three bytes', frame(RST_STREAM, 0, 1, zeros(3))],
    ['a ping of seven bytes', frame(PING, 0, 0, zeros(7))],
    ['settings of five bytes', frame(SETTINGS, 0, 0, zeros(5))],
    ['settings of a stream', frame(SETTINGS, 0, 1)],
    ['a window beyond the largest', frame(WINDOW_UPDATE, 0, 0, uint32(0x7fff_ffff))],
    ['a window that grows by nothing', frame(WINDOW_UPDATE, 0, 0, zeros(4))],
    ['a short farewell', frame(GOAWAY, 0, 0, zeros(4))],
    ['a frame that is too long', Buffer.from([0, 0x40, 1, 0, 0, 0, 0, 0, 1])],
  ])('%s ends the connection with its requests', async (_name, bytes) => {
    const { other } = await startRaw();
    const stream = session.request(GET, false);
    const failed = once(session, 'error');
    other.write(bytes);
    const [error] = await failed;
    expect(error.message).toMatch(/protocol error/);
    await expect.poll(() => stream.destroyed).toBe(true);
    expect(session.destroyed).toBe(true);
  });

  test('a server that sends more than the window of a stream loses that stream', async () => {
    const { other } = await startRaw();
    const stream = session.request(GET, false);
    other.write(frame(HEADERS, 4, 1, Buffer.from([0x88])));
    await headOf(stream);
    for (let i = 0; i < 8; i++) other.write(frame(DATA, 0, 1, zeros(16_384)));
    await expect.poll(() => stream.destroyed).toBe(true);
    expect(stream.rstCode).toBe(constants.NGHTTP2_FLOW_CONTROL_ERROR);
    expect(session.destroyed).toBe(false);
  });

  test('a server that asks and does not read the answers is cut off', async () => {
    const { other } = await startRaw();
    other.pause();
    const failed = once(session, 'error');
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => frame(PING, 0, 0, zeros(8))));
    const flood = (): void => {
      while (!session.destroyed && other.write(pings));
    };
    other.on('drain', flood);
    flood();
    const [error] = await failed;
    expect(error.message).toMatch(/without reading the answers/);
  });

  test('frames that arrive byte by byte are joined, and unknown ones are ignored', async () => {
    const { other } = await startRaw();
    const stream = session.request(GET, false);
    const head = Buffer.from([0x88]);
    const padded = Buffer.concat([Buffer.from([2]), Buffer.from('body'), zeros(2)]);
    const bytes = Buffer.concat([
      frame(0x42, 0, 0, 'new'),
      frame(HEADERS, 4, 1, head),
      frame(DATA, 9, 1, padded),
    ]);
    other.setNoDelay(true);
    const whole = text(stream);
    for (const byte of bytes) {
      other.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    expect(await whole).toBe('body');
  });
});
