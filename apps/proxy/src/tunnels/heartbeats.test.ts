import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Link, PingTimings } from '../links/link.ts';
import { Heartbeats } from './heartbeats.ts';

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function advance(ms: number, stepMs: number): void {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    nowMs += stepMs;
    vi.advanceTimersByTime(stepMs);
  }
}

class FakeLink {
  readonly checks: [nowMs: number, times: PingTimings][] = [];
  isAlive = true;

  checkLiveness(atMs: number, times: PingTimings): boolean {
    this.checks.push([atMs, times]);
    return this.isAlive;
  }
}

function addTo(heartbeats: Heartbeats): FakeLink {
  const link = new FakeLink();
  // Nothing else of a link is asked for.
  heartbeats.add(link as unknown as Link);
  return link;
}

test('a link is looked at twice within the shorter of its times, and not all links at once', () => {
  const heartbeats = new Heartbeats();
  const links = Array.from({ length: 40 }, () => addTo(heartbeats));
  expect(vi.getTimerCount()).toBe(1);
  const checked = (): number[] => links.flatMap(({ checks }, i) => (checks.length > 0 ? [i] : []));
  advance(249, 249);
  expect(checked()).toEqual([]);
  advance(1, 1);
  expect(checked()).toEqual([0, 20]);
  advance(250, 250);
  expect(checked()).toEqual([0, 1, 20, 21]);
  advance(4_500, 250);
  expect(links.map(({ checks }) => checks.length)).toEqual(links.map(() => 1));
  advance(250, 250);
  const times = { pingIntervalMs: 15_000, pingTimeoutMs: 10_000 };
  expect(links[0]?.checks).toEqual([
    [250, times],
    [5_250, times],
  ]);
});

test('the time that this process is held up counts as no silence of the other sides', () => {
  const heartbeats = new Heartbeats({ pingIntervalMs: 20, pingTimeoutMs: 250 });
  const link = addTo(heartbeats);
  advance(10, 10);
  nowMs += 60_000;
  vi.advanceTimersByTime(10);
  advance(10, 10);
  expect(link.checks.map(([atMs]) => atMs)).toEqual([10, 30, 40]);
});

test('a link that ended is looked at no more, and others are', () => {
  const heartbeats = new Heartbeats({ pingIntervalMs: 20, pingTimeoutMs: 20 });
  const [ended, alive] = [addTo(heartbeats), addTo(heartbeats)];
  ended.isAlive = false;
  advance(30, 10);
  expect([ended, alive].map(({ checks }) => checks.length)).toEqual([1, 3]);
});

test('heartbeats that were stopped look at nothing until a link is added again', () => {
  const heartbeats = new Heartbeats({ pingIntervalMs: 20, pingTimeoutMs: 20 });
  const link = addTo(heartbeats);
  heartbeats.stop();
  advance(30, 10);
  expect(link.checks).toEqual([]);
  addTo(heartbeats);
  advance(10, 10);
  expect(link.checks).toHaveLength(1);
});
