import type { StreamOptions } from '@heliograph/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LiveSource, LiveValues, shownValue } from './live-values.ts';

/** Patience for a loaded machine, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A device whose connection the tests control. */
class Source implements LiveSource {
  options: StreamOptions = {};
  readonly check = vi.fn<() => void>();
  readonly close = vi.fn<() => void>();
  readonly #end = Promise.withResolvers<void>();

  stream(options: StreamOptions) {
    this.options = options;
    return { ended: this.#end.promise, check: this.check, close: this.close };
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
  await vi.waitFor(() => expect(values.status.state).toBe('refused'), PATIENCE_MS);
  expect(onStatus).toHaveBeenCalledOnce();
});

it('values come again when a device that refused the credentials is followed again', async () => {
  source.connect('inverter_1/power');
  source.refuse();
  await vi.waitFor(() => expect(values.status.state).toBe('refused'));
  const renewed = new Source();
  values.follow(renewed);
  expect(values.status.state).toBe('reconnecting');
  renewed.connect('inverter_1/power');
  expect(values.status.state).toBe('live');
});

it('all topics are followed, totals first', () => {
  expect(source.options).toMatchObject({ topics: ['*'], firstTopics: ['total/*'] });
});

it('the connection is checked and closed while it is followed, and not after that', () => {
  values.check();
  expect(source.check).toHaveBeenCalledOnce();
  expect(source.close).not.toHaveBeenCalled();
  values.stop();
  values.stop();
  values.check();
  expect(source.check).toHaveBeenCalledOnce();
  expect(source.close).toHaveBeenCalledOnce();
});

it('values that follow no device can be checked and stopped', () => {
  const idle = new LiveValues();
  idle.check();
  idle.stop();
  expect(idle.status.state).toBe('connecting');
});

it('topics stay after the end, though the device has not defined them again', () => {
  source.connect('inverter_1/power', 'battery_1/voltage');
  source.breakOff();
  source.connect('inverter_1/power');
  values.stop();
  vi.advanceTimersByTime(60_000);
  expect(topics()).toEqual(['inverter_1/power', 'battery_1/voltage']);
});

it('a connection that breaks again gives the device its full time for definitions', () => {
  source.connect('inverter_1/power', 'battery_1/voltage');
  source.breakOff();
  source.connect('inverter_1/power');
  vi.advanceTimersByTime(10_000);
  source.breakOff();
  source.connect('inverter_1/power');
  vi.advanceTimersByTime(10_000);
  expect(topics()).toContain('battery_1/voltage');
  vi.advanceTimersByTime(5_000);
  expect(topics()).not.toContain('battery_1/voltage');
});

it('a topic that is dropped takes no other value with it, and needs no listener', () => {
  source.connect('inverter_1/power', 'battery_1/voltage');
  const onPower = vi.fn();
  values.onValue('inverter_1/power', onPower);
  source.breakOff();
  source.connect('inverter_1/power');
  vi.advanceTimersByTime(20_000);
  expect(values.get('inverter_1/power')).toEqual({ value: 1, stale: false });
  expect(onPower).not.toHaveBeenCalled();
});

it('a device that defines all its topics again changes no list later', () => {
  source.connect('inverter_1/power');
  const [list, onList] = [values.definitions, vi.fn()];
  values.onDefinitions(onList);
  vi.advanceTimersByTime(60_000);
  expect(values.definitions).toBe(list);
  expect(onList).not.toHaveBeenCalled();
});

it('a definition that comes again replaces the former one in its place, and the listeners are notified', () => {
  source.connect('inverter_1/power', 'battery_1/voltage');
  const onList = vi.fn();
  const end = values.onDefinitions(onList);
  // A definition has more fields, which do not matter here.
  source.options.onDefinitions?.([{ topic: 'inverter_1/power', type: 'string' } as never]);
  expect(values.definitions).toEqual([
    { topic: 'inverter_1/power', type: 'string' },
    { topic: 'battery_1/voltage', type: 'number' },
  ]);
  expect(onList).toHaveBeenCalledOnce();
  end();
  source.define('total/power');
  expect(onList).toHaveBeenCalledOnce();
});

it('the listener of a value is notified of each change of it, and of nothing else, until it ends', () => {
  source.connect('inverter_1/power', 'battery_1/voltage');
  const [first, second] = [vi.fn(), vi.fn()];
  const end = values.onValue('inverter_1/power', first);
  values.onValue('inverter_1/power', second);
  const calls = (): number[] => [first, second].map(({ mock }) => mock.calls.length);
  source.options.onMetrics?.([{ topic: 'battery_1/voltage', value: 50 }]);
  values.put('inverter_1/power', { value: 1, stale: false });
  expect(calls(), 'nothing has changed').toEqual([0, 0]);
  values.put('inverter_1/power', { value: 2, stale: false });
  expect(calls(), 'another value').toEqual([1, 1]);
  source.options.onMetrics?.([{ topic: 'inverter_1/power', value: 2, stale: true }]);
  expect(calls(), 'the same value, too old').toEqual([2, 2]);
  expect(values.get('inverter_1/power')).toEqual({ value: 2, stale: true, lastValue: 2 });
  end();
  values.put('inverter_1/power', { value: 3, stale: true });
  expect(calls(), 'after the end').toEqual([2, 3]);
});

it('the status has the time at which its state began, and its listeners are notified of another state only', () => {
  const began = Date.now();
  const onStatus = vi.fn();
  const end = values.onStatus(onStatus);
  expect(values.status).toEqual({ state: 'connecting', since: began });
  vi.advanceTimersByTime(1_000);
  source.connect();
  expect(values.status).toEqual({ state: 'live', since: began + 1_000 });
  vi.advanceTimersByTime(1_000);
  source.breakOff();
  vi.advanceTimersByTime(1_000);
  source.breakOff();
  expect(values.status).toEqual({ state: 'reconnecting', since: began + 2_000 });
  expect(onStatus).toHaveBeenCalledTimes(2);
  end();
  source.connect();
  expect(onStatus).toHaveBeenCalledTimes(2);
});

it('a value that became stale is shown as it was, by the device or by what the page had', () => {
  source.connect('total/pv_power', 'total/load_power', 'total/grid_power');
  source.options.onMetrics?.([
    { topic: 'total/pv_power', value: null, stale: true, last_value: 7, updated_at: '2026-06-21T10:31:00Z' },
    { topic: 'total/load_power', value: null, stale: true },
    { topic: 'total/grid_power', value: null },
  ]);
  const shown = (topic: string) => shownValue(values.get(topic));
  expect(['total/pv_power', 'total/load_power', 'total/grid_power'].map(shown)).toEqual([7, 1, null]);
  expect(values.get('total/pv_power')?.readAt).toBe(Date.parse('2026-06-21T10:31:00Z'));
  source.options.onMetrics?.([{ topic: 'total/load_power', value: null, stale: true }]);
  expect(shown('total/load_power')).toBe(1);
  source.options.onMetrics?.([{ topic: 'total/pv_power', value: 9 }]);
  expect(shown('total/pv_power')).toBe(9);
});
