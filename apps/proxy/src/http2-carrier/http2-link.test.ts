import { constants } from 'node:http2';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Http2Pair } from '../../test/http2-carrier/http2-pair.ts';
import type { AnswerListener, Exchange } from '../links/upstream.ts';
import { UpstreamEnded } from '../links/upstream.ts';
import { Http2Link } from './http2-link.ts';

const HEAD = { method: 'GET', scheme: 'http', path: '/', host: 'x', headers: [] } as const;

let pair: Http2Pair;
let link: Http2Link;
let events: string[];
let listener: AnswerListener;
beforeEach(async () => {
  pair = await Http2Pair.connect();
  events = [];
  link = new Http2Link(pair.http2, pair.socket, {
    left: () => events.push('left'),
    closed: (reason) => events.push(`closed: ${reason}`),
  });
  listener = {
    onHead: (status) => events.push(`head ${status}`),
    onData: (chunk) => events.push(`data ${chunk}`),
    onEnd: () => events.push('end'),
    onLost: (loss) => events.push(loss),
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  pair[Symbol.dispose]();
});

const send = (): Exchange => link.send(HEAD, undefined, listener);

test('each request under way is counted until it closes', async () => {
  const first = send();
  send();
  expect([link.isClosing, link.openRequests]).toEqual([false, 2]);
  await expect.poll(() => pair.streams).toHaveLength(2);
  first.cancel();
  await expect.poll(() => link.openRequests).toBe(1);
  pair.streams[1]?.respond({ ':status': 204 }, { endStream: true });
  await expect.poll(() => link.openRequests).toBe(0);
  expect(events).toEqual(['head 204', 'end']);
});

test('an exchange that was cancelled calls its listener no more', async () => {
  const exchange = send();
  await expect.poll(() => pair.streams).toHaveLength(1);
  exchange.cancel();
  pair.streams[0]?.respond({ ':status': 200 });
  await pair.roundTrip();
  expect(events).toEqual([]);
});

test('a request that cannot be sent is not counted and leaves the connection open', () => {
  const unsendable = new Error('unsendable');
  vi.spyOn(pair.http2, 'request').mockImplementation(() => {
    throw unsendable;
  });
  expect(send).toThrow(unsendable);
  expect([link.openRequests, link.isClosing]).toEqual([0, false]);
});

test.each(['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_OUT_OF_STREAMS'])(
  'a connection that ended with %s takes no more requests',
  (code) => {
    vi.spyOn(pair.http2, 'request').mockImplementation(() => {
      throw Object.assign(new Error('ended'), { code });
    });
    expect(send).toThrow(UpstreamEnded);
    // One without numbers for more drains.
    expect(link.isClosing).toBe(code === 'ERR_HTTP2_OUT_OF_STREAMS');
  },
);

test('an end has one reason, the first, and closes the socket', async () => {
  link.end('first');
  expect([pair.socket.destroyed, link.isClosing]).toEqual([true, true]);
  link.end('second');
  await link.drain(0, 'third');
  await expect.poll(() => events).toEqual(['closed: first']);
});

test('a drain waits for requests under way, and is no end with a reason', async () => {
  send();
  await expect.poll(() => pair.streams).toHaveLength(1);
  const drained = link.drain(60_000, 'too late');
  expect([link.isClosing, link.isClosed]).toEqual([true, false]);
  pair.streams[0]?.respond({ ':status': 204 }, { endStream: true });
  await drained;
  expect(events.at(-1)).toBe('closed: undefined');
});

test('an other end that leaves again and again has left once', async () => {
  send();
  await expect.poll(() => pair.streams).toHaveLength(1);
  for (let n = 0; n < 3; n++) pair.peer.goaway(constants.NGHTTP2_NO_ERROR);
  await pair.roundTrip();
  expect(events).toEqual(['left']);
});

test('a drain ends at its deadline with its reason', async () => {
  send();
  await expect.poll(() => pair.streams).toHaveLength(1);
  await link.drain(1, 'the deadline');
  expect(events).toEqual(expect.arrayContaining(['lost', 'closed: the deadline']));
});

test('a signal is the payload of a ping', async () => {
  link.signal(Buffer.from('8 octets'));
  await pair.roundTrip();
  expect(pair.pings[0]).toBe('8 octets');
});

test('a signal that cannot be sent ends the connection', async () => {
  link.signal(Buffer.alloc(3));
  await expect.poll(() => events).toEqual([expect.stringContaining('8')]);
});

test('a device that announces its end has left, and its requests under way go on', async () => {
  send();
  await expect.poll(() => pair.streams).toHaveLength(1);
  pair.peer.close();
  await expect.poll(() => events).toEqual(['left']);
  pair.streams[0]?.respond({ ':status': 204 }, { endStream: true });
  await expect.poll(() => events.slice(1, 3)).toEqual(['head 204', 'end']);
});

test('a device that reports an error has not left, but its connection closes with the error', async () => {
  pair.peer.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  await expect
    .poll(() => events)
    .toEqual([expect.stringContaining(`code ${constants.NGHTTP2_ENHANCE_YOUR_CALM}`)]);
});

test('a request that is refused unprocessed is unread, and one that is reset otherwise is lost', async () => {
  send();
  send();
  await expect.poll(() => pair.streams).toHaveLength(2);
  pair.streams[0]?.close(constants.NGHTTP2_REFUSED_STREAM);
  await expect.poll(() => events).toEqual(['unread']);
  pair.streams[1]?.close(constants.NGHTTP2_INTERNAL_ERROR);
  await expect.poll(() => events).toEqual(['unread', 'lost']);
});
