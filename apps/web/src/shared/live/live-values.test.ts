import type { StreamOptions } from '@heliograph/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LiveSource, LiveValues } from './live-values.ts';

/** A device whose connection the tests control. */
class Source implements LiveSource {
  options: StreamOptions = {};
  readonly #end = Promise.withResolvers<void>();

  stream(options: StreamOptions) {
    this.options = options;
    return { ended: this.#end.promise, check: () => undefined, close: () => undefined };
  }

  refuse(): void {
    this.#end.reject(new Error('The credentials are no longer valid'));
  }

  connect(...topics: string[]): void {
    this.options.onStatus?.({ state: 'live' });
    this.define(...topics);
  }

  define(...topics: string[]): void {
    this.options.onDefinitions?.(topics.map((topic) => ({ topic, type: 'number' }) as never));
    this.options.onMetrics?.(topics.map((topic) => ({ topic, value: 1 })));
  }

  breakOff(): void {
    this.options.onStatus?.({ state: 'reconnecting', reason: 'the connection was lost' });
  }
}

let values: LiveValues;
let source: Source;

beforeEach(() => {
  vi.useFakeTimers();
  values = new LiveValues();
  source = new Source();
  values.follow(source);
});
afterEach(() => {
  values.stop();
  vi.useRealTimers();
});

const topics = (): string[] => values.definitions.map(({ topic }) => topic);

it('topics that a returned device no longer defines are dropped, and their listeners are notified', () => {
  source.connect('inverter_1/power', 'battery_1/voltage');
  const [onValue, onList] = [vi.fn(), vi.fn()];
  values.onValue('battery_1/voltage', onValue);
  source.breakOff();
  source.connect('inverter_1/power');
  values.onDefinitions(onList);
  // A device that has just started may not have read everything yet.
  expect(topics()).toContain('battery_1/voltage');
  vi.advanceTimersByTime(20_000);
  expect(topics()).toEqual(['inverter_1/power']);
  expect(values.get('battery_1/voltage')).toBeUndefined();
  expect([onValue, onList].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it('topics that a returned device defines a little later stay, as do all while the connection is lost', () => {
  source.connect('inverter_1/power', 'battery_1/voltage');
  source.breakOff();
  vi.advanceTimersByTime(60_000);
  expect(topics()).toHaveLength(2);
  source.connect('inverter_1/power');
  vi.advanceTimersByTime(5_000);
  source.define('battery_1/voltage');
  vi.advanceTimersByTime(60_000);
  expect(topics()).toHaveLength(2);
  expect(values.get('battery_1/voltage')).toEqual({ value: 1, stale: false });
});

it('the heartbeat detects a dead connection within twelve seconds', () => {
  const { heartbeatIntervalMs = Infinity, heartbeatTimeoutMs = Infinity } = source.options.timings ?? {};
  expect(heartbeatIntervalMs).toBeGreaterThanOrEqual(5_000);
  expect(heartbeatIntervalMs + heartbeatTimeoutMs).toBeLessThan(12_000);
});

it('the status is refused once the device no longer accepts the credentials', async () => {
  const onStatus = vi.fn();
  source.connect('inverter_1/power');
  values.onStatus(onStatus);
  source.refuse();
  await vi.waitFor(() => expect(values.status.state).toBe('refused'));
  expect(onStatus).toHaveBeenCalledOnce();
});
