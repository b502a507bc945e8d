import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Backoff, ManualClock, silentLogger, systemClock } from '@heliograph/kit';
import { quantities } from '@heliograph/metrics';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeHardware } from '../../../test/poll/fake-hardware.ts';
import { TrafficCounter } from '../../bus/bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { ConnectionPoller, type ConnectionPollerOptions } from './connection-poller.ts';

const INTERVAL_MS = 20;
const FAST = () => new Backoff({ minMs: 2, maxMs: 10 });
const running = new Set<ConnectionPoller>();

const started = (
  open: ConnectionPollerOptions['open'],
  options: Partial<ConnectionPollerOptions> = {},
  onPolled = () => {},
): ConnectionPoller => {
  const poller = new ConnectionPoller({
    url: 'sunspec+tcp://inverter:502?unit=1',
    open,
    intervalMs: INTERVAL_MS,
    traffic: new TrafficCounter(),
    clock: systemClock,
    logger: silentLogger,
    backoff: FAST(),
    ...options,
  });
  running.add(poller);
  poller.start(onPolled);
  return poller;
};

afterEach(async () => {
  await Promise.all([...running].map((poller) => poller.stop()));
  running.clear();
});

const hardware = (values: Record<string, number | string> = { 'PV power': 100 }) =>
  new FakeHardware({ kind: 'inverters', model: 'Fake', quantities: [quantities.power('PV power')], values });

describe('ConnectionPoller', () => {
  it('a connection is opened once and polled on and on', async () => {
    const fake = hardware();
    const open = vi.fn(async () => fake);
    const poller = started(open);
    await expect.poll(() => fake.polls).toBeGreaterThan(3);
    expect(open).toHaveBeenCalledTimes(1);
    expect(poller.units).toEqual(fake.units);
    expect(poller.value('inverters 0', 'PV power').value).toBe(100);
    expect(poller.value('inverters 0', 'Load power')).toMatchObject({ value: null, readAt: 0 });
  });

  it('a connection with more to offer than when it was opened is opened again, five minutes later at the earliest', async () => {
    const asleep = hardware({});
    const awake = hardware();
    const open = vi.fn(async () => (open.mock.calls.length === 1 ? asleep : awake));
    let laterMs = 0;
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + laterMs };
    const poller = started(open, { clock });
    asleep.needsReopen = true;
    await expect.poll(() => asleep.polls).toBeGreaterThan(3);
    expect(open).toHaveBeenCalledTimes(1);
    laterMs = 5 * 60 * 1000;
    await expect.poll(() => awake.polls).toBeGreaterThan(3);
    expect(open).toHaveBeenCalledTimes(2);
    expect(poller.units).toEqual(awake.units);
  });

  it('hardware with less than when it was opened is opened again once that has lasted for five minutes', async () => {
    const whole = hardware();
    const open = vi.fn(async () => whole);
    let laterMs = 0;
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + laterMs };
    started(open, { clock });
    const polled = async (): Promise<void> => {
      const { polls } = whole;
      await expect.poll(() => whole.polls).toBeGreaterThan(polls + 2);
    };
    const pass = async (minutes: number): Promise<void> => {
      laterMs += minutes * 60_000;
      await polled();
    };
    await pass(60);
    whole.hasShrunk = true;
    await polled();
    await pass(4);
    whole.hasShrunk = false;
    await polled();
    whole.hasShrunk = true;
    await polled();
    await pass(4);
    expect(open).toHaveBeenCalledTimes(1);
    await pass(2);
    await expect.poll(() => open.mock.calls.length).toBe(2);
    whole.hasShrunk = false;
    whole.needsReopen = true;
    await expect.poll(() => open.mock.calls.length, { message: 'it is back' }).toBe(3);
    await polled();
    expect(open, 'no more often than every five minutes').toHaveBeenCalledTimes(3);
  });

  it('hardware is not opened again while a unit of the same kind comes after one that is gone', async () => {
    const battery = {
      ...{ kind: 'batteries' as const, model: null, quantities: [quantities.voltage('Voltage')] },
      values: { Voltage: 52 },
    };
    const pack = new FakeHardware({ ...battery }, { ...battery }, { ...battery });
    const open = vi.fn(async () => pack);
    let laterMs = 0;
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + laterMs };
    started(open, { clock });
    const pass = async (minutes: number): Promise<void> => {
      laterMs += minutes * 60_000;
      const { polls } = pack;
      await expect.poll(() => pack.polls).toBeGreaterThan(polls + 2);
    };
    pack.gone.add(1);
    pack.hasShrunk = true;
    for (let minutes = 0; minutes < 12; minutes += 4) await pass(4);
    expect(open).toHaveBeenCalledTimes(1);
    pack.gone.add(2);
    await pass(1);
    await pass(6);
    await expect.poll(() => open.mock.calls.length).toBeGreaterThan(1);
  });

  it('a unit that is gone has no values from the same poll on, and has them again when it is back', async () => {
    const pack = new FakeHardware({
      kind: 'batteries',
      model: null,
      quantities: [quantities.voltage('Voltage')],
      values: { Voltage: 52 },
    });
    const poller = started(async () => pack);
    await expect.poll(() => poller.value('batteries 0', 'Voltage').value).toBe(52);
    pack.gone.add(0);
    Object.assign(pack.units[0]?.values ?? {}, { Voltage: 0 });
    const seen: unknown[] = [];
    const { polls } = pack;
    await expect
      .poll(() => {
        seen.push(poller.value('batteries 0', 'Voltage').value);
        return pack.polls;
      })
      .toBeGreaterThan(polls + 3);
    expect(seen).not.toContain(0);
    expect([poller.value('batteries 0', 'Voltage').value, poller.isGone('batteries 0')]).toEqual([
      null,
      true,
    ]);
    pack.gone.clear();
    Object.assign(pack.units[0]?.values ?? {}, { Voltage: 52 });
    await expect.poll(() => poller.value('batteries 0', 'Voltage').value).toBe(52);
    expect(poller.isGone('batteries 0')).toBe(false);
  });

  it('a connection is polled no more often than the interval, and skips polls that a slow one ran into', async () => {
    const fake = hardware();
    const clock = new ManualClock(Date.parse('2026-07-15T12:00:00Z'));
    const pause = async (ms: number, signal: AbortSignal): Promise<boolean> => {
      clock.advance(ms);
      await nextTurn();
      return !signal.aborted;
    };
    const begun: number[] = [];
    let concurrent = 0;
    let maxConcurrent = 0;
    fake.duringPoll = async () => {
      begun.push(Math.floor(clock.monotonic() / INTERVAL_MS));
      maxConcurrent = Math.max(maxConcurrent, ++concurrent);
      if (begun.length === 3) clock.advance(2.5 * INTERVAL_MS);
      await nextTurn();
      concurrent--;
    };
    const poller = started(async () => fake, { clock, pause });
    await expect.poll(() => begun.length).toBeGreaterThan(7);
    await poller.stop();
    expect(maxConcurrent).toBe(1);
    expect(begun.slice(0, 7).map((tick) => tick - (begun[0] ?? 0))).toEqual([0, 1, 2, 5, 6, 7, 8]);
  });

  it('a connection that cannot be opened is tried again until it can', async () => {
    const fake = hardware();
    let attempts = 0;
    const poller = started(async () => {
      if (++attempts < 4) throw new LinkDown('no route');
      return fake;
    });
    await expect.poll(() => poller.value('inverters 0', 'PV power').value).toBe(100);
    expect(attempts).toBe(4);
  });

  it('a lost connection is opened again, and its values keep the time of their reading', async () => {
    const clock = new ManualClock(Date.parse('2026-07-15T12:00:00Z'));
    const first = hardware();
    const second = hardware({ 'PV power': 250 });
    const found = [first, second];
    let mayReopen = false;
    let attempts = 0;
    const poller = started(
      async () => {
        attempts++;
        if (found.length === 1 && !mayReopen) throw new LinkDown('still gone');
        return found.shift() ?? second;
      },
      { clock },
    );
    await expect.poll(() => first.polls).toBeGreaterThan(1);
    first.failure = new LinkDown('cable pulled');
    clock.advance(60_000);
    await expect.poll(() => attempts).toBeGreaterThan(2);
    expect(poller.value('inverters 0', 'PV power')).toMatchObject({
      value: 100,
      readAt: Date.parse('2026-07-15T12:00:00Z'),
    });
    mayReopen = true;
    await expect.poll(() => poller.value('inverters 0', 'PV power').value).toBe(250);
    expect(poller.value('inverters 0', 'PV power').readAt).toBe(Date.parse('2026-07-15T12:01:00Z'));
  });

  it('a repeated value keeps the time of its reading, though the wall clock is slewed or set', async () => {
    const noon = Date.parse('2026-07-15T12:00:00Z');
    const clock = new ManualClock(noon);
    const fake = hardware({ 'PV power': 100, 'Serial number': 'A1' });
    const poller = started(async () => fake, { clock });
    const began = clock.monotonic();
    fake.readBefore['Serial number'] = began;
    const afterPolls = async () => {
      const { polls } = fake;
      await expect.poll(() => fake.polls).toBeGreaterThan(polls + 1);
      return [poller.value('inverters 0', 'Serial number'), poller.value('inverters 0', 'PV power')];
    };
    clock.advance(60_000);
    expect(await afterPolls()).toMatchObject([
      {
        value: 'A1',
        readAt: noon,
        readAtMonotonic: began,
        confirmedAtMs: expect.closeTo(began + 60_000, 1),
      },
      { value: 100, readAt: noon + 60_000, readAtMonotonic: expect.closeTo(began + 60_000, 1) },
    ]);
    clock.jump(noon + 60_005);
    expect(await afterPolls()).toMatchObject([{ readAt: noon }, { readAt: noon + 60_005 }]);
    clock.jump(noon - 3_600_000);
    expect(await afterPolls()).toMatchObject([
      { readAt: noon - 3_660_000, readAtMonotonic: began },
      { readAt: noon - 3_600_000 },
    ]);
  });

  it('each loss of a connection is logged once with its recovery, and waits between attempts start short again', async () => {
    const lines: string[] = [];
    const log = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)).msg);
        done();
      },
    });
    const noon = Date.parse('2026-07-15T12:00:00Z');
    const clock = new ManualClock(noon);
    const fake = hardware();
    /** Each pause between two attempts, which the test ends. */
    const pauses: { readonly ms: number; readonly end: () => void }[] = [];
    const pause: ConnectionPollerOptions['pause'] = (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      pauses.push({ ms, end: () => resolve(true) });
      signal.addEventListener('abort', () => resolve(false));
      return promise;
    };
    const backoff = new Backoff({ minMs: 1_000, maxMs: 60_000, random: () => 0 });
    const poller = started(async () => fake, { clock, logger: pino(log), backoff, pause });
    await expect.poll(() => pauses, { interval: 2 }).toHaveLength(1);
    /** The pause after an attempt that is made now, and the state since when. */
    const attempt = async (failure?: Error): Promise<readonly unknown[]> => {
      fake.failure = failure;
      clock.advance(1_000);
      const { length } = pauses;
      pauses.at(-1)?.end();
      await expect.poll(() => pauses, { interval: 2 }).toHaveLength(length + 1);
      const { state, since } = poller.status;
      const { ms = 0 } = pauses.at(-1) ?? {};
      return [ms <= INTERVAL_MS ? 'until the next poll' : ms, state, (since - noon) / 1_000];
    };
    const LOST = new LinkDown('cable pulled');
    expect(await attempt(LOST)).toEqual([500, 'failing', 1]);
    expect(await attempt(LOST)).toEqual([1_000, 'failing', 1]);
    expect(await attempt(LOST)).toEqual([2_000, 'failing', 1]);
    expect(poller.lastReadAt).toBe(noon);
    expect(await attempt()).toEqual(['until the next poll', 'connected', 4]);
    expect(await attempt()).toEqual(['until the next poll', 'connected', 4]);
    expect(await attempt(LOST)).toEqual([500, 'failing', 6]);
    expect(await attempt(LOST)).toEqual([1_000, 'failing', 6]);
    expect([poller.polls, poller.lastReadAt]).toEqual([{ answered: 3, failed: 5 }, noon + 5_000]);
    expect(lines).toEqual(['connection lost', 'connection restored', 'connection lost']);
  });

  it('a connection does not wait for another that hangs', async () => {
    const fake = hardware();
    const { promise: never, reject: hangUp } = Promise.withResolvers<FakeHardware>();
    started(() => never);
    started(async () => fake);
    await expect.poll(() => fake.polls).toBeGreaterThan(3);
    hangUp(new LinkDown('closed'));
  });

  it('a poller stopped between polls ends at once', async () => {
    const fake = hardware();
    const poller = started(async () => fake, { intervalMs: 600_000 });
    await expect.poll(() => poller.attempted).toBe(true);
    await poller.stop();
    expect(fake.polls).toBe(1);
  });
});

describe('a write on a connection', () => {
  it('a write shows the value that the hardware reports, even if a poll under way had read the old one', async () => {
    const fake = hardware({ 'Max charge current': 10 });
    const { promise: mayEnd, resolve: endPoll } = Promise.withResolvers<void>();
    const polled = vi.fn();
    const poller = started(async () => fake, {}, polled);
    await expect.poll(() => polled).toHaveBeenCalled();
    fake.duringPoll = () => mayEnd;
    await expect.poll(() => poller.polling).toBe(true);

    await poller.write('inverters 0', 'Max charge current', 25);
    expect(poller.value('inverters 0', 'Max charge current').value).toBe(25);
    const calls = polled.mock.calls.length;
    fake.duringPoll = undefined;
    endPoll();
    await expect.poll(() => polled.mock.calls.length).toBeGreaterThan(calls);
    expect(poller.value('inverters 0', 'Max charge current').value).toBe(25);

    const unit = fake.units[0];
    if (unit !== undefined) unit.values['Max charge current'] = 30;
    await expect.poll(() => poller.value('inverters 0', 'Max charge current').value).toBe(30);
  });

  it('a write is refused unsent while nothing is connected', async () => {
    const poller = started(async () => {
      throw new LinkDown('no route');
    });
    await expect(poller.write('inverters 0', 'Max charge current', 25)).rejects.toThrow(LinkDown);
  });
});
