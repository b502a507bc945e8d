import { beforeEach, expect, test, vi } from 'vitest';
import { Link } from './link.ts';

const TIMES = { pingIntervalMs: 100, pingTimeoutMs: 50 };

/** A link that counts what is asked of it. */
class TestLink extends Link {
  isClosing = false;
  isClosed = false;
  override readonly isCongested = false;
  override readonly openRequests = 0;
  override readonly begunRequests = 0;
  bytesRead = 0;
  readonly ends: string[] = [];
  readonly send = vi.fn();
  readonly openWebSocket = vi.fn();
  readonly drain = vi.fn();
  readonly signal = vi.fn();
  readonly ping = vi.fn();

  end(reason: string): void {
    this.ends.push(reason);
    this.isClosed = true;
  }
}

let link: TestLink;
beforeEach(() => {
  link = new TestLink();
});

test('silence is answered by one ping, and by the end when it lasts', () => {
  link.bytesRead = 1;
  expect(link.checkLiveness(1_000, TIMES)).toBe(true);
  expect(link.checkLiveness(1_099, TIMES)).toBe(true);
  expect(link.ping).not.toHaveBeenCalled();
  expect(link.checkLiveness(1_100, TIMES)).toBe(true);
  expect(link.checkLiveness(1_149, TIMES)).toBe(true);
  expect(link.ping).toHaveBeenCalledTimes(1);
  expect(link.ends).toEqual([]);
  expect(link.checkLiveness(1_150, TIMES)).toBe(false);
  expect(link.ends).toEqual([expect.stringContaining('silence for 0 s')]);
});

test('the reason of an end names the seconds in which nothing came', () => {
  const times = { pingIntervalMs: 15_000, pingTimeoutMs: 10_000 };
  link.bytesRead = 1;
  for (const atMs of [1_000, 16_000, 27_000]) link.checkLiveness(atMs, times);
  expect(link.ends).toEqual([expect.stringContaining('silence for 26 s')]);
});

test('nothing ends without a ping before', () => {
  link.checkLiveness(0, TIMES);
  expect(link.checkLiveness(10_000, TIMES)).toBe(true);
  expect(link.ping).toHaveBeenCalledTimes(1);
  expect(link.ends).toEqual([]);
  expect(link.checkLiveness(10_001, TIMES)).toBe(false);
});

test('any byte counts as a sign of life, after which the next silence is pinged again', () => {
  link.checkLiveness(0, TIMES);
  link.checkLiveness(100, TIMES);
  link.bytesRead++;
  expect(link.checkLiveness(200, TIMES)).toBe(true);
  expect(link.checkLiveness(299, TIMES)).toBe(true);
  expect(link.ping).toHaveBeenCalledTimes(1);
  expect(link.checkLiveness(300, TIMES)).toBe(true);
  expect(link.ping).toHaveBeenCalledTimes(2);
  expect(link.ends).toEqual([]);
});

test('a connection that drains gets no pings, and is cut after a minute of silence', () => {
  link.isClosing = true;
  link.checkLiveness(0, TIMES);
  expect(link.checkLiveness(59_999, TIMES)).toBe(true);
  expect(link.ends).toEqual([]);
  link.checkLiveness(60_000, TIMES);
  expect(link.ends).toEqual([expect.stringContaining('nothing came any more')]);
  expect(link.checkLiveness(60_001, TIMES)).toBe(false);
  expect(link.ping).not.toHaveBeenCalled();
});
