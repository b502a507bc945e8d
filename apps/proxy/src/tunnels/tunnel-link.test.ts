import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Http2Pair } from '../testing/http2-pair.ts';
import { TunnelLink } from './tunnel-link.ts';

class TestLink extends TunnelLink {
  readonly ends: string[] = [];

  protected override onEnd(reason: string): void {
    this.ends.push(reason);
  }
}

const HEAD = [':method', 'GET', ':scheme', 'http', ':path', '/', ':authority', 'x'];
const TIMES = { pingIntervalMs: 100, pingTimeoutMs: 50 };

let pair: Http2Pair;
let link: TestLink;
beforeEach(async () => {
  pair = await Http2Pair.connect();
  link = new TestLink(pair.http2, pair.socket);
});
afterEach(() => {
  vi.restoreAllMocks();
  pair[Symbol.dispose]();
});

describe('TunnelLink', () => {
  test('open streams are counted until they close', async () => {
    expect(link.isClosing).toBe(false);
    const first = link.open(HEAD, false);
    const second = link.open(HEAD, true);
    first.resume();
    expect(link.openStreams).toBe(2);
    await expect.poll(() => pair.streams).toHaveLength(2);
    expect(pair.streams.map(({ endAfterHeaders }) => endAfterHeaders)).toEqual([true, false]);
    pair.streams[0]?.respond({ ':status': 204 }, { endStream: true });
    await once(first, 'close');
    expect(link.openStreams).toBe(1);
    second.on('error', () => undefined);
    second.destroy();
    await once(second, 'close');
    expect(link.openStreams).toBe(0);
  });

  test('a stream that cannot be opened is not counted and leaves the connection open', () => {
    const unsendable = new Error('unsendable');
    vi.spyOn(pair.http2, 'request').mockImplementation(() => {
      throw unsendable;
    });
    expect(() => link.open(HEAD, false)).toThrow(unsendable);
    expect(link.openStreams).toBe(0);
    expect(link.isClosing).toBe(false);
  });

  test('a connection without numbers for more streams drains', () => {
    const usedUp = Object.assign(new Error('used up'), { code: 'ERR_HTTP2_OUT_OF_STREAMS' });
    vi.spyOn(pair.http2, 'request').mockImplementation(() => {
      throw usedUp;
    });
    expect(() => link.open(HEAD, false)).toThrow(usedUp);
    expect(link.isClosing).toBe(true);
    expect(link.openStreams).toBe(0);
  });

  test('an end has one reason, the first, and closes the socket', async () => {
    link.end('first');
    expect(pair.socket.destroyed).toBe(true);
    expect(link.isClosing).toBe(true);
    link.end('second');
    link.ping();
    await link.drain(0, 'third');
    expect(link.ends).toEqual(['first']);
    expect(link.checkLiveness(0, TIMES)).toBe(false);
  });

  test('a drain waits for open pair.streams, and is no end with a reason', async () => {
    const stream = link.open(HEAD, false);
    stream.resume();
    await expect.poll(() => pair.streams).toHaveLength(1);
    const drained = link.drain(60_000, 'too late');
    expect(link.isClosing).toBe(true);
    expect(pair.http2.destroyed).toBe(false);
    pair.streams[0]?.respond({ ':status': 204 }, { endStream: true });
    await drained;
    expect(link.ends).toEqual([]);
  });

  test('a drain ends at its deadline with its reason', async () => {
    link.open(HEAD, false).on('error', () => undefined);
    await expect.poll(() => pair.streams).toHaveLength(1);
    await link.drain(1, 'the deadline');
    expect(link.ends).toEqual(['the deadline']);
  });

  test('a ping carries the payload that it is given', async () => {
    link.ping(Buffer.from('8 octets'));
    link.ping();
    await pair.roundTrip();
    expect(pair.pings).toHaveLength(3);
    expect(pair.pings[0]).toBe('8 octets');
  });

  test('a ping that cannot be sent ends the connection', () => {
    link.ping(Buffer.alloc(3));
    expect(link.ends).toEqual([expect.stringContaining('8')]);
  });
});

describe('TunnelLink.checkLiveness', () => {
  const spyOnPings = () => vi.spyOn(link, 'ping').mockImplementation(() => undefined);

  test('silence is answered by one ping, and by the end when it lasts', () => {
    expect(link.checkLiveness(1_000, TIMES)).toBe(true);
    const ping = spyOnPings();
    expect(link.checkLiveness(1_099, TIMES)).toBe(true);
    expect(ping).not.toHaveBeenCalled();
    expect(link.checkLiveness(1_100, TIMES)).toBe(true);
    expect(ping.mock.calls).toEqual([[]]);
    expect(link.checkLiveness(1_149, TIMES)).toBe(true);
    expect(ping).toHaveBeenCalledTimes(1);
    expect(link.ends).toEqual([]);
    expect(link.checkLiveness(1_150, TIMES)).toBe(false);
    expect(link.ends).toEqual([expect.stringContaining('silence for 0 s')]);
  });

  test('the reason of an end names the seconds in which nothing came', () => {
    const times = { pingIntervalMs: 15_000, pingTimeoutMs: 10_000 };
    spyOnPings();
    link.checkLiveness(1_000, times);
    link.checkLiveness(16_000, times);
    link.checkLiveness(27_000, times);
    expect(link.ends).toEqual([expect.stringContaining('silence for 26 s')]);
  });

  test('nothing ends without a ping before', () => {
    link.checkLiveness(0, TIMES);
    const ping = spyOnPings();
    expect(link.checkLiveness(10_000, TIMES)).toBe(true);
    expect(ping).toHaveBeenCalledTimes(1);
    expect(link.ends).toEqual([]);
    expect(link.checkLiveness(10_001, TIMES)).toBe(false);
  });

  test('any byte counts as a sign of life, after which the next silence is pinged again', async () => {
    link.checkLiveness(0, TIMES);
    const ping = spyOnPings();
    link.checkLiveness(100, TIMES);
    const { bytesRead } = pair.socket;
    pair.peer.ping(() => undefined);
    await expect.poll(() => pair.socket.bytesRead).toBeGreaterThan(bytesRead);
    expect(link.checkLiveness(200, TIMES)).toBe(true);
    expect(link.checkLiveness(299, TIMES)).toBe(true);
    expect(ping).toHaveBeenCalledTimes(1);
    expect(link.checkLiveness(300, TIMES)).toBe(true);
    expect(ping).toHaveBeenCalledTimes(2);
    expect(link.ends).toEqual([]);
  });

  test('a connection that drains gets no pair.pings, and is cut after a minute of silence', async () => {
    link.open(HEAD, false).on('error', () => undefined);
    await pair.roundTrip();
    const drained = link.drain(600_000, 'too late');
    await expect.poll(() => pair.streams).toHaveLength(1);
    link.checkLiveness(0, TIMES);
    const ping = spyOnPings();
    expect(link.checkLiveness(59_999, TIMES)).toBe(true);
    expect(link.ends).toEqual([]);
    expect(link.checkLiveness(60_000, TIMES)).toBe(true);
    expect(link.ends).toEqual([expect.stringContaining('nothing came any more')]);
    expect(link.checkLiveness(60_001, TIMES)).toBe(false);
    expect(ping).not.toHaveBeenCalled();
    await drained;
  });
});
