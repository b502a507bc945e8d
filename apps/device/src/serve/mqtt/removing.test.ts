import { createLogger } from '@heliograph/kit';
import type { AedesOptions, Client } from 'aedes';
import { connectAsync } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgedHome, type BridgedHomeOptions } from '../../../test/serve/mqtt/bridged-home.ts';
import { startBroker, type TestBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { until, Watcher } from '../../../test/serve/mqtt/watcher.ts';
import { LinkDown } from '../../bus/failures.ts';

const CLIENT_ID = 'heliograph-abcdefghij01';
const STATUS = 'solar_assistant/status';
const PV = 'solar_assistant/inverter_1/pv_power/state';
const CONFIG = 'homeassistant/sensor/inverter_1_pv_power/config';

let undo: AsyncDisposableStack;

beforeEach(() => {
  undo = new AsyncDisposableStack();
});

afterEach(() => undo.disposeAsync());

const broker = async (port?: number): Promise<TestBroker> => {
  const started = await startBroker(port === undefined ? {} : { port });
  undo.defer(() => started.stop());
  return started;
};

const watch = async ({ url }: TestBroker): Promise<Watcher> => {
  const watcher = await Watcher.connect(url);
  undo.defer(() => watcher.close());
  return watcher;
};

const start = async (options: BridgedHomeOptions): Promise<BridgedHome> => {
  const home = await new BridgedHome(options).start();
  undo.defer(() => home.stop());
  return home;
};

/** A home that published to a broker, and is off. @returns its data folder */
const published = async (watcher: Watcher, options: BridgedHomeOptions): Promise<string> => {
  const home = await new BridgedHome(options).start();
  await watcher.until(STATUS, 'online');
  await home.stop({ keep: true });
  await watcher.until(STATUS, 'offline');
  return home.home.folder;
};

const topics = (watcher: Watcher): readonly string[] => [...watcher.latest.keys()];

describe('a broker that is no longer configured', () => {
  it.each([
    ['MQTT was switched off', async () => undefined],
    ['there is another broker', async () => (await broker()).url],
  ])('the broker holds nothing of the device once %s', async (_, next) => {
    const former = await broker();
    const watcher = await watch(former);
    const folder = await published(watcher, { url: former.url });
    await watcher.publish('solar_assistant/foreign/state', 'of another program', { retain: true });
    const url = await next();
    await start({ url, folder });
    await until(() => expect(topics(watcher)).toEqual(['solar_assistant/foreign/state']));
  });

  it('the broker is cleared once it can be reached, also after further restarts', async () => {
    const former = await startBroker();
    const before = await Watcher.connect(former.url);
    const folder = await published(before, { url: former.url });
    await former.stop();
    const off = await new BridgedHome({ url: undefined, folder }).start();
    await off.stop({ keep: true });
    // Another broker that has what the first one held.
    const back = await broker(former.port);
    const watcher = await watch(back);
    for (const [topic, text] of before.latest) await watcher.publish(topic, text, { retain: true });
    await until(() => expect(watcher.latest.size).toBe(before.latest.size));
    await start({ url: undefined, folder });
    await until(() => expect(topics(watcher)).toEqual([]));
  });

  it('the broker is cleared after a power cut, while it takes the device to be connected', async () => {
    const former = await broker();
    const watcher = await watch(former);
    const folder = await published(watcher, { url: former.url });
    // The connection of a device that lost its power stays open until the broker misses its pings.
    const will = { topic: STATUS, payload: Buffer.from('offline'), qos: 1, retain: true } as const;
    const dead = await connectAsync(former.url, { clientId: CLIENT_ID, will, reconnectPeriod: 0 });
    undo.defer(() => dead.endAsync(true));
    await dead.publishAsync(STATUS, 'online', { qos: 1, retain: true });
    await watcher.until(STATUS, 'online');
    await start({ url: undefined, folder });
    await until(() => expect(topics(watcher)).toEqual([]));
    expect(watcher.textsOf(STATUS).slice(-2)).toEqual(['offline', '']);
  });

  it('the broker is given up after thirty days', async () => {
    const former = await startBroker();
    const before = await Watcher.connect(former.url);
    const folder = await published(before, { url: former.url });
    await former.stop();
    const { home } = await start({ url: undefined, folder });
    expect(home.store.get('mqtt_brokers')).toContain(former.url);
    home.clock.advance(31 * 24 * 3_600_000);
    await until(() => expect(home.store.get('mqtt_brokers')).toBeUndefined());
  });

  it('the broker is given up after thirty days in which the configured one was not reached', async () => {
    const former = await broker();
    const folder = await published(await watch(former), { url: former.url });
    const { home } = await start({ url: 'mqtt://127.0.0.1:1', folder });
    expect(home.store.get('mqtt_brokers')).toContain(former.url);
    home.clock.advance(31 * 24 * 3_600_000);
    await until(() => expect(home.store.get('mqtt_brokers')).not.toContain(former.url));
  });
});

const isOfDevice = (client: Client | null) => client?.id.startsWith('heliograph-') === true;

describe('a broker that passes no status on to the device', () => {
  const rules: readonly (readonly [string, string, AedesOptions])[] = [
    [
      'keeps it back',
      'the broker does not pass the status on',
      {
        authorizeForward: (client, packet) =>
          packet.topic === STATUS && isOfDevice(client) ? undefined : packet,
      },
    ],
    [
      'refuses the subscription',
      'the broker refuses to pass the status on',
      {
        authorizeSubscribe: (client, subscription, done) =>
          done(null, subscription.topic === STATUS && isOfDevice(client) ? null : subscription),
      },
    ],
  ];

  it.each(rules)('the broker keeps what is on it where it %s', async (_, reason, rule) => {
    const only = await startBroker({ rules: rule });
    undo.defer(() => only.stop());
    const watcher = await watch(only);
    const folder = await published(watcher, { url: only.url });
    const seen = watcher.received.length;
    const lines: string[] = [];
    const logger = createLogger('test', 'debug', { write: (line) => lines.push(line) });
    const { home } = await start({ url: only.url.replace('127.0.0.1', 'localhost'), folder, logger });
    await until(() => expect(lines.join('')).toContain(reason));
    expect(lines.join('')).toContain('the topics on a former MQTT broker are not removed yet');
    expect(home.store.get('mqtt_brokers')).toContain('127.0.0.1');
    home.clock.advance(31 * 24 * 3_600_000);
    await until(() => expect(home.store.get('mqtt_brokers')).not.toContain('127.0.0.1'));
    expect(watcher.received.slice(seen).filter(({ text }) => text === '')).toEqual([]);
    await watcher.until(STATUS, 'online');
    expect(only.clients.has(CLIENT_ID)).toBe(true);
  });
});

it('one broker stays one when its address, the prefix and its rules change at once', async () => {
  const only = await startBroker({
    rules: {
      // The status below the new prefix is kept back from the device; the former one is passed on.
      authorizeForward: (client, packet) =>
        packet.topic === 'garage/status' && isOfDevice(client) ? undefined : packet,
    },
  });
  undo.defer(() => only.stop());
  const watcher = await watch(only);
  const folder = await published(watcher, { url: only.url });
  const { home } = await start({
    url: only.url.replace('127.0.0.1', 'localhost'),
    folder,
    topicPrefix: 'garage',
    quietMs: 200,
  });
  await until(() => {
    home.clock.advance(1_000);
    expect(home.store.get('mqtt_brokers')).not.toContain('127.0.0.1');
  });
  await watcher.until('garage/status', 'online');
  await watcher.until(PV, undefined);
  await watcher.until('garage/inverter_1/pv_power/state', '1240');
  expect(watcher.textsOf('garage/inverter_1/pv_power/state')).not.toContain('');
});

it('a broker keeps what is on it when its address is written in another way', async () => {
  const only = await broker();
  const watcher = await watch(only);
  const folder = await published(watcher, { url: only.url });
  const seen = watcher.received.length;
  const { home } = await start({ url: only.url.replace('127.0.0.1', 'localhost'), folder });
  await watcher.until(STATUS, 'online');
  await until(() => expect(home.store.get('mqtt_brokers')).not.toContain('127.0.0.1'));
  expect(watcher.received.slice(seen).filter(({ text }) => text === '')).toEqual([]);
});

it('another broker is cleared though the configured one ends its connections meanwhile', async () => {
  const next = await broker();
  let cuts = 0;
  const former = await startBroker({
    rules: {
      authenticate: (client, _username, _password, done) => {
        if (cuts < 6 && isOfDevice(client) && next.clients.has(CLIENT_ID)) {
          cuts++;
          next.cutClient(CLIENT_ID);
        }
        done(null, true);
      },
    },
  });
  undo.defer(() => former.stop());
  const watcher = await watch(former);
  const folder = await published(watcher, { url: former.url });
  await start({ url: next.url, folder });
  await until(() => expect(topics(watcher)).toEqual([]));
  expect(cuts).toBeGreaterThan(1);
});

it('one broker stays one where it has one client id for all that the device connects with', async () => {
  const only = await startBroker({
    rules: {
      authenticate: (client, _username, _password, done) => {
        if (isOfDevice(client)) client.id = CLIENT_ID;
        done(null, true);
      },
      authorizeForward: (client, packet) =>
        packet.topic === STATUS && isOfDevice(client) ? undefined : packet,
    },
  });
  undo.defer(() => only.stop());
  const watcher = await watch(only);
  const folder = await published(watcher, { url: only.url });
  const seen = watcher.received.length;
  const lines: string[] = [];
  const logger = createLogger('test', 'debug', { write: (line) => lines.push(line) });
  const { home } = await start({ url: only.url.replace('127.0.0.1', 'localhost'), folder, logger });
  await until(() => {
    home.clock.advance(1_000);
    expect(home.store.get('mqtt_brokers')).not.toContain('127.0.0.1');
  });
  expect(lines.join('')).not.toContain('given up');
  await watcher.until(STATUS, 'online');
  expect(watcher.received.slice(seen).filter(({ text }) => text === '')).toEqual([]);
});

describe('a topic that another device has published since', () => {
  /** In milliseconds: on a busy computer the broker takes a while to send what it holds, and what is missed is deleted. */
  const quietMs = 500;
  const OTHER_CONFIG = '{"unique_id":"zzzzzzzzzz0123456789_inverter_1_pv_power"}';

  it('the topic stays, with all below a prefix that the other holds online', async () => {
    const former = await broker();
    const watcher = await watch(former);
    const folder = await published(watcher, { url: former.url });
    const others: Record<string, string> = { [CONFIG]: OTHER_CONFIG, [STATUS]: 'online', [PV]: '777' };
    for (const [topic, text] of Object.entries(others)) await watcher.publish(topic, text, { retain: true });
    const { home } = await start({ url: undefined, folder, quietMs });
    await until(() => {
      const configs = topics(watcher).filter((topic) => topic.startsWith('homeassistant/'));
      expect(configs).toEqual([CONFIG]);
      expect(home.store.get('mqtt_brokers')).toBeUndefined();
    });
    expect(Object.fromEntries(watcher.latest)).toMatchObject(others);
  });

  it('the topic stays on the configured broker, too', async () => {
    const only = await broker();
    const watcher = await watch(only);
    const folder = await published(watcher, { url: only.url });
    await watcher.publish(CONFIG, OTHER_CONFIG, { retain: true });
    await start({ url: only.url, folder, quietMs, homeAssistant: false });
    await until(() => {
      expect(topics(watcher).filter((topic) => topic.startsWith('homeassistant/'))).toEqual([CONFIG]);
    });
    expect(watcher.latest.get(CONFIG)).toBe(OTHER_CONFIG);
  });
});

describe('after a restart', () => {
  /** A home that published to a broker and starts again, its inverter unread. */
  const restarted = async (
    change: (home: BridgedHome) => void,
    options: Omit<BridgedHomeOptions, 'url'> = {},
  ) => {
    const only = await broker();
    const watcher = await watch(only);
    const folder = await published(watcher, { url: only.url });
    const seen = watcher.received.length;
    const bridged = new BridgedHome({ url: only.url, folder, ...options });
    change(bridged);
    undo.defer(() => bridged.stop());
    bridged.startUnread();
    const since = () => watcher.received.slice(seen);
    return { bridged, watcher, since };
  };

  it('a value that was not read yet keeps what the broker holds of it', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const { bridged, watcher, since } = await restarted(({ hardware }) => {
      hardware.duringPoll = () => answer;
    });
    undo.defer(() => resolve());
    // This computer may have no sensor, and a clock that stands still counts no energy.
    const unknown = () =>
      since().filter(({ topic, text }) => text === 'None' && !/\/system\/|_energy\//.test(topic));
    await watcher.until(STATUS, 'online');
    await until(() => expect(bridged.home.value('battery_1/state_of_charge')).toBe(96));
    // The counts of the link are of this run, and known.
    const ofInverter = since().filter(({ topic }) => /\/inverter_1\/(?!link_(un|dr|wi))/.test(topic));
    expect(ofInverter).toEqual([]);
    expect(unknown()).toEqual([]);
    expect(watcher.latest.get(PV)).toBe('1240');
    expect(watcher.latest.get('solar_assistant/total/pv_power/state')).toBe('1240');
    resolve();
    await until(() => expect(bridged.home.value('inverter_1/pv_power')).toBe(1240));
    await until(() => expect(since().find(({ topic }) => topic === PV)).toMatchObject({ text: '1240' }));
    expect(unknown()).toEqual([]);
  });

  it.each([{ topicPrefix: 'garage' }, { discoveryPrefix: 'ha' }])(
    'an announcement moved by %j is removed before another of its entity is published',
    async (prefixes) => {
      const isAnnounced = (message: { topic: string; text: string }) =>
        message.topic.endsWith('/config') && message.text !== '';
      const { promise: answer, resolve } = Promise.withResolvers<void>();
      const { watcher, since } = await restarted(({ hardware }) => {
        hardware.duringPoll = () => answer;
      }, prefixes);
      undo.defer(() => resolve());
      await until(() => expect(since().find(isAnnounced)).toBeDefined());
      await until(() => expect(topics(watcher)).not.toContain(CONFIG));
      const removed = since().findLastIndex(({ topic, text }) => topic.endsWith('/config') && text === '');
      expect(since().findIndex(isAnnounced)).toBeGreaterThan(removed);
    },
  );

  it('a value whose connection failed three polls is unknown', async () => {
    const { watcher, since } = await restarted(({ hardware }) => {
      hardware.failure = new LinkDown('cable pulled');
    });
    await watcher.until(PV, 'None');
    await watcher.until('solar_assistant/total/pv_power/state', 'None');
    const attributes = '{"stale":true,"updated_at":null}';
    await watcher.until('solar_assistant/inverter_1/pv_power/attributes', attributes);
    expect(since().filter(({ text }) => text === '')).toEqual([]);
  });
});
