import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDevice, sampleMetrics } from '../../test/index.ts';
import {
  type DeviceAccess,
  DeviceClient,
  type MetricStream,
  type StreamOptions,
  WriteFailed,
} from '../index.ts';

const QUICK = { reconnect: { minMs: 5, maxMs: 20 }, stableAfterMs: 50, joinTimeoutMs: 2_000 };
const RESERVE = 'inverter_1/battery_reserve';

describe('MetricStream', () => {
  let device: FakeDevice;
  let stream: MetricStream | undefined;
  let log: unknown[];

  /** Opens a stream that logs its events into `log`. */
  const open = (
    options: StreamOptions,
    access?: DeviceAccess,
    renew?: () => Promise<DeviceAccess>,
  ): MetricStream => {
    const client = new DeviceClient(
      access ?? { host: device.address, ...device.credentials },
      renew === undefined ? {} : { renew },
    );
    stream = client.stream({
      onMetrics: (changes) => log.push(...changes.map(({ topic, value }) => `${topic} ${value}`)),
      onStatus: (status) => log.push(status.state),
      ...options,
      timings: { ...QUICK, ...options.timings },
    });
    return stream;
  };
  const received = (...entries: unknown[]) => expect.poll(() => log).toEqual(expect.arrayContaining(entries));

  beforeEach(async () => {
    log = [];
    device = await new FakeDevice(sampleMetrics()).start();
  });
  afterEach(async () => {
    stream?.close();
    await stream?.ended.catch(() => undefined);
    await device.stop();
  });

  it('the stream delivers definitions, then values, then every change', async () => {
    const order: string[] = [];
    open({
      topics: ['total/*'],
      onDefinitions: (rows) => order.push(...rows.map(({ topic, unit }) => `definition ${topic} ${unit}`)),
      onMetrics: (changes) => order.push(...changes.map(({ topic, value }) => `${topic} ${value}`)),
    });
    await expect.poll(() => order).toHaveLength(4);
    device.change('total/pv_power', 1300);
    device.change('battery_1/voltage', 50);
    device.change('total/grid_power', 0);
    await expect
      .poll(() => order)
      .toEqual([
        'definition total/pv_power W',
        'definition total/grid_power W',
        'total/pv_power 1240',
        'total/grid_power -300',
        'total/pv_power 1300',
        'total/grid_power 0',
      ]);
  });

  it('the first topics arrive before all others, and each is defined once', async () => {
    const order: string[] = [];
    open({
      topics: ['*'],
      firstTopics: ['total/*'],
      onDefinitions: (rows) => order.push(`definitions ${rows.map(({ topic }) => topic).join(' ')}`),
      onMetrics: (changes) => order.push(`values ${changes.map(({ topic }) => topic).join(' ')}`),
    });
    await expect.poll(() => order).toHaveLength(4);
    const all = sampleMetrics().map(({ topic }) => topic);
    const totals = all.filter((topic) => topic.startsWith('total/'));
    const others = all.filter((topic) => !topic.startsWith('total/'));
    expect(order).toEqual([
      `definitions ${totals.join(' ')}`,
      `values ${totals.join(' ')}`,
      `definitions ${others.join(' ')}`,
      `values ${all.join(' ')}`,
    ]);
    device.change('battery_1/voltage', 50);
    await expect.poll(() => order.at(-1)).toBe('values battery_1/voltage');
  });

  it('the stream works on the LAN with the password', async () => {
    open({ topics: ['battery*'] }, { address: device.address, password: device.credentials.password });
    await received('live', 'battery_1/voltage 51.2');
  });

  it('the stream reconnects after a broken connection and receives the current values', async () => {
    open({ topics: ['*'] });
    await received('live', 'total/pv_power 1240');
    log = [];
    device.dropConnections();
    device.change('total/pv_power', 5);
    await received('reconnecting', 'live', 'total/pv_power 5');
  });

  it('an unanswered heartbeat makes the stream reconnect', async () => {
    open({ topics: ['*'], timings: { heartbeatIntervalMs: 10, heartbeatTimeoutMs: 50 } });
    await received('live');
    device.vanish();
    device.change('total/pv_power', 5);
    await received('reconnecting', 'total/pv_power 5');
  });

  it('check() replaces a dead connection at once and keeps one that answers', async () => {
    const doubted = open({ topics: ['*'], timings: { checkTimeoutMs: 50 } });
    await received('live');
    doubted.check();
    await expect.poll(() => device.heartbeats).toBe(1);
    device.change('total/pv_power', 4);
    await received('total/pv_power 4');
    device.vanish();
    doubted.check();
    await received('reconnecting');
    expect(log.filter((entry) => entry === 'reconnecting')).toHaveLength(1);
  });

  it('the stream keeps its connection while heartbeats are answered', async () => {
    open({ topics: ['*'], timings: { heartbeatIntervalMs: 5, heartbeatTimeoutMs: 1_000 } });
    await received('live');
    await expect.poll(() => device.heartbeats).toBeGreaterThan(5);
    expect(log.filter((entry) => entry === 'live')).toHaveLength(1);
  });

  it('the stream rejects when its credentials are wrong', async () => {
    const wrong = open({}, { address: device.address, password: 'wrong' });
    await expect(wrong.ended).rejects.toMatchObject({ status: 401 });
  });

  it('the stream continues with new credentials when the old ones have expired', async () => {
    const fresh: DeviceAccess = { host: device.address, ...device.credentials };
    open({ topics: ['*'] }, { ...fresh, token: 'expired' } as DeviceAccess, async () => fresh);
    await received('live', 'total/pv_power 1240');
  });

  it('the stream follows a device to another proxy', async () => {
    const next = await new FakeDevice(sampleMetrics()).start();
    next.change('total/pv_power', 77);
    open({ topics: ['*'] }, undefined, async () => ({ host: next.address, ...next.credentials }));
    await received('live');
    await device.stop();
    await received('total/pv_power 77');
    stream?.close();
    await next.stop();
  });

  it('close() ends the stream, also during the wait to reconnect', async () => {
    const closing = open({ timings: { reconnect: { minMs: 600_000, maxMs: 600_000 } } });
    await received('live');
    device.dropConnections();
    await received('reconnecting');
    closing.close();
    await closing.ended;
  });

  describe('set', () => {
    it('set resolves when the device has accepted the value', async () => {
      const writer = open({ topics: [RESERVE] });
      await received('live');
      await writer.set(RESERVE, 44);
      await received(`${RESERVE} 44`);
    });

    it('set rejects with the message of the device', async () => {
      const writer = open({});
      await received('live');
      await expect(writer.set(RESERVE, 101)).rejects.toThrow(`${RESERVE} must be a number from 0 to 100`);
    });

    it('two writes of one topic get their own results', async () => {
      const writer = open({});
      await received('live');
      const results = await Promise.allSettled([writer.set(RESERVE, 101), writer.set(RESERVE, 50)]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    });

    it('set reports an unknown outcome when the connection breaks before the answer', async () => {
      const writer = open({});
      await received('live');
      device.vanish();
      const written = writer.set(RESERVE, 44).catch((thrown: unknown) => thrown);
      device.dropConnections();
      expect(await written).toBeInstanceOf(WriteFailed);
      expect(await written).toHaveProperty('message', expect.stringContaining('may or may not have changed'));
    });

    it('set reports that nothing changed without a connection', async () => {
      const writer = open({});
      await expect(writer.set(RESERVE, 44)).rejects.toThrow('nothing was changed');
    });
  });
});
