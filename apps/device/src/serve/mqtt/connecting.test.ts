import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { createLogger } from '@heliograph/kit';
import type { AedesOptions } from 'aedes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgedHome, type BridgedHomeOptions } from '../../../test/serve/mqtt/bridged-home.ts';
import { startPlainBroker, subscriptionAnswer } from '../../../test/serve/mqtt/plain-broker.ts';
import {
  startBroker,
  type TestBroker,
  type TestBrokerOptions,
} from '../../../test/serve/mqtt/test-broker.ts';
import { until, Watcher } from '../../../test/serve/mqtt/watcher.ts';
import type { AlertSensor } from './alert-sensors.ts';

const STATUS = 'solar_assistant/status';
const PV = 'solar_assistant/inverter_1/pv_power/state';
const CLIENT_ID = 'heliograph-abcdefghij01';
const PASSWORD = 'correct horse battery';

let undo: AsyncDisposableStack;
let lines: string[];

beforeEach(() => {
  undo = new AsyncDisposableStack();
  lines = [];
});

afterEach(() => undo.disposeAsync());

const start = async (options: BridgedHomeOptions): Promise<BridgedHome> => {
  const logger = createLogger('test', 'debug', { write: (line) => lines.push(line) });
  const home = await new BridgedHome({ logger, ...options }).start();
  undo.defer(() => home.stop());
  return home;
};

const broker = async (options?: TestBrokerOptions): Promise<TestBroker> => {
  const started = await startBroker(options);
  undo.defer(() => started.stop());
  return started;
};

const watch = async ({ url }: TestBroker): Promise<Watcher> => {
  const watcher = await Watcher.connect(url);
  undo.defer(() => watcher.close());
  return watcher;
};

/** Lets in who has the password. */
const guarded: AedesOptions = {
  authenticate(client, username, password, done) {
    const known = client.id !== CLIENT_ID || (username === 'sun' && password?.toString() === PASSWORD);
    if (known) done(null, true);
    else done(Object.assign(new Error('no'), { returnCode: 4 }), null);
  },
};

const polling = async ({ home }: BridgedHome): Promise<void> => {
  const { sequence } = home.snapshots.current;
  await until(() => expect(home.snapshots.current.sequence).toBeGreaterThan(sequence + 2));
};

describe('a broker that is away', () => {
  it('an unreachable broker disturbs nothing and gets everything once it is there', async () => {
    const gone = await startBroker();
    await gone.stop();
    const home = await start({ url: gone.url });
    await until(() => expect(lines.join()).toContain('MQTT broker not reached'));
    await polling(home);
    const watcher = await watch(await broker({ port: gone.port }));
    await watcher.until(STATUS, 'online');
    expect(watcher.latest.get(PV)).toBe('1240');
    expect(lines.filter((line) => line.includes('not reached'))).toHaveLength(1);
    await until(() => expect(lines.filter((line) => line.includes('reached again'))).toHaveLength(1));
  });

  it('a restarted broker gets everything again, with the newest values', async () => {
    const first = await startBroker();
    const home = await start({ url: first.url });
    await until(() => expect(first.clients.has(CLIENT_ID)).toBe(true));
    await first.stop();
    const unit = home.hardware.units[0];
    if (unit !== undefined) unit.values['PV power'] = 900;
    await until(() => expect(home.home.value('inverter_1/pv_power')).toBe(900));
    const watcher = await watch(await broker({ port: first.port }));
    await watcher.until(STATUS, 'online');
    expect(watcher.textsOf(PV)).toEqual(['900']);
    await watcher.publish('solar_assistant/inverter_1/max_charge_current/set', '31');
    await watcher.until('solar_assistant/inverter_1/max_charge_current/state', '31');
  });
});

describe('a broker with a password', () => {
  it('the broker admits a device with the password', async () => {
    const guardedBroker = await broker({ rules: guarded });
    await start({ url: guardedBroker.url, username: 'sun', password: PASSWORD });
    const watcher = await watch(guardedBroker);
    await watcher.until(STATUS, 'online');
    expect(lines.join()).not.toContain(PASSWORD);
  });

  it('a wrong password is tried again and again, shown as the reason and never logged', async () => {
    const guardedBroker = await broker({ rules: guarded });
    const home = await start({ url: guardedBroker.url, username: 'sun', password: 'wrong horse' });
    await until(() => expect(lines.join()).toContain('Connection refused'));
    await polling(home);
    expect(lines.join()).not.toContain('wrong horse');
    expect(guardedBroker.clients.has(CLIENT_ID)).toBe(false);
  });

  it('a broker that forbids subscriptions gets the values all the same', async () => {
    const watcher = await watch(
      await broker({
        rules: {
          authorizeSubscribe: ({ id }, subscription, done) =>
            done(null, id === CLIENT_ID ? null : subscription),
        },
      }).then(async (started) => {
        await start({ url: started.url });
        return started;
      }),
    );
    await watcher.until(STATUS, 'online');
    expect(watcher.latest.get(PV)).toBe('1240');
    expect(lines.join()).toContain('passes no writes on');
  });
});

describe('a broker that sends an oversized message', () => {
  it('the connection is cut, and the broker gets the values once it has stopped', async () => {
    const flooded = await broker();
    const watcher = await watch(flooded);
    const topic = 'solar_assistant/inverter_1/work_mode/set';
    await watcher.publish(topic, 'x'.repeat(3 * 1024 * 1024), { retain: true });
    const home = await start({ url: flooded.url });
    await until(() => expect(lines.join()).toContain('sends a message of more than 1048576 bytes'));
    await polling(home);
    await watcher.publish(topic, '', { retain: true });
    await watcher.until(STATUS, 'online');
    const { length } = lines;
    // More than that, in many messages.
    await Promise.all(Array.from({ length: 500 }, () => watcher.publish(topic, 'y'.repeat(3_000))));
    await watcher.publish(topic, 'Zero export to load');
    await watcher.until(topic.replace(/set$/, 'state'), 'Zero export to load');
    expect(lines.slice(length).join()).not.toContain('sends a message');
  });
});

describe('MQTT over TLS', () => {
  it('TLS is used for mqtts', async () => {
    const secured = await broker({ tls: TEST_TLS });
    await start({ url: secured.url, ca: TEST_TLS.cert.toString() });
    await until(() => expect(secured.clients.has(CLIENT_ID)).toBe(true));
  });

  it('a broker with an untrusted certificate is refused', async () => {
    const secured = await broker({ tls: TEST_TLS });
    await start({ url: secured.url, password: PASSWORD, username: 'sun' });
    await until(() => expect(lines.join()).toContain('self-signed certificate'));
    expect(lines.join()).not.toContain('Node.js');
    expect(secured.clients.size).toBe(0);
  });
});

describe('the stop of the bridge', () => {
  /** A server that accepts connections, and at most acknowledges them. */
  const silentBroker = async (
    greeting: Buffer | undefined,
  ): Promise<{ url: string; sockets: Set<Socket> }> => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      if (greeting !== undefined) socket.write(greeting);
    });
    inPieces(server).listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.defer(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
  };

  it.each([
    ['that says nothing', undefined],
    ['that goes silent after its greeting', Buffer.from([0x20, 0x02, 0x00, 0x00])],
  ])('the stop does not wait long for a broker %s', async (_, greeting) => {
    const { url, sockets } = await silentBroker(greeting);
    const home = await start({ url });
    await until(() => expect(sockets.size).toBe(1));
    await polling(home);
    await home.stopBridge();
    expect(lines.join()).not.toContain('not reached');
  });
});

describe('a broker that drops messages without a word', () => {
  const configs =
    (length: number) =>
    ({ topic, payload }: { topic: string; payload: string | Buffer }) =>
      topic.endsWith('/config') && payload.length > length;

  it.each([
    [
      'refuses them by its rules',
      'its rules refuse solar_assistant/status to this client',
      { authorizeForward: (client, packet) => (client?.id === CLIENT_ID ? undefined : packet) },
    ],
    [
      'keeps no announcements',
      'none of the announcements to Home Assistant can be read back',
      { authorizeForward: (_, packet) => (configs(10)(packet) ? undefined : packet) },
    ],
    [
      'keeps no long ones',
      'it limits the length of messages',
      { authorizeForward: (_, packet) => (configs(450)(packet) ? undefined : packet) },
    ],
  ] satisfies [string, string, AedesOptions][])(
    'the state has a reason at a broker that %s',
    async (_, reason, rules) => {
      const home = await start({ url: (await broker({ rules })).url });
      await until(() => expect(home.status?.reason).toContain(reason));
      expect(home.status?.state).toBe('connected');
      expect(lines.filter((line) => line.includes('MQTT messages do not arrive'))).toHaveLength(1);
      await polling(home);
    },
  );

  const silent = (): readonly string[] =>
    lines.filter((line) => line.includes('MQTT messages do not arrive'));

  it('a drop is found out after a start of the device, too, before which nothing was read', async () => {
    const rules: AedesOptions = {
      // The longest announcement, of a setting that is known once the inverter was read.
      authorizeForward: (_, packet) =>
        packet.topic.startsWith('homeassistant/number/') ? undefined : packet,
    };
    const only = await broker({ rules });
    const watcher = await watch(only);
    const logger = createLogger('test', 'debug', { write: (line) => lines.push(line) });
    const home = new BridgedHome({ logger, url: only.url });
    undo.defer(() => home.stop());
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    undo.defer(() => resolve());
    home.hardware.duringPoll = () => answer;
    home.startUnread();
    await watcher.until(STATUS, 'online');
    resolve();
    await until(() => expect(home.status?.reason).toContain('it limits the length of messages'));
  });

  it('the reason goes once its rules are mended, and comes again', async () => {
    let isBroken = true;
    // Rules that change during a reading are another reason for a moment.
    const refused = () => silent().filter((line) => line.includes('its rules refuse solar_assistant/status'));
    const rules: AedesOptions = {
      authorizeForward: (client, packet) => (isBroken && client?.id === CLIENT_ID ? undefined : packet),
    };
    const only = await broker({ rules });
    const home = await start({ url: only.url });
    await until(() => expect(home.status?.reason).toContain('its rules refuse'));
    isBroken = false;
    await until(() => {
      home.home.clock.advance(300_000);
      expect(home.status).toMatchObject({ state: 'connected', reason: null });
    });
    expect(refused()).toHaveLength(1);
    isBroken = true;
    only.cutClient(CLIENT_ID);
    await until(() => expect(home.status?.reason).toContain('its rules refuse'));
    expect(refused()).toHaveLength(2);
  });

  it('a broker that ends the connection at a refused subscription gets it once', async () => {
    let refused = 0;
    const rules: AedesOptions = {
      authorizeSubscribe: ({ id }, subscription, done) => {
        if (id !== CLIENT_ID || subscription.topic !== STATUS) return done(null, subscription);
        refused++;
        done(new Error('refused'));
      },
    };
    const only = await broker({ rules });
    const home = await start({ url: only.url });
    const reading = 'the broker ends the connection when the device reads back';
    const isConnected = () =>
      expect(home.status).toMatchObject({ state: 'connected', reason: expect.stringContaining(reading) });
    await until(() => expect(only.clients.has(CLIENT_ID)).toBe(true));
    await until(isConnected);
    only.cutClient(CLIENT_ID);
    await until(() => expect(only.clients.has(CLIENT_ID)).toBe(false));
    const watcher = await watch(only);
    await until(() => expect(watcher.textsOf(STATUS)).toContain('online'));
    home.home.clock.advance(300_000);
    await until(() => expect(watcher.textsOf(PV)).toHaveLength(2));
    await until(isConnected);
    expect(refused).toBe(1);
    expect(silent()).toHaveLength(1);
  });

  it('values do not wait for a broker that leaves the reading back unanswered', async () => {
    let isAnswered = false;
    const plain = await startPlainBroker((text, socket) => {
      const answer = subscriptionAnswer(text, 'solar_assistant/+/+/set', 3);
      if (answer === undefined || isAnswered) return;
      isAnswered = true;
      socket.write(answer);
    });
    undo.defer(() => plain.stop());
    const home = await start({ url: plain.url, readBackMs: 500 });
    // In a request a filter is followed by its quality of service, 0, and the next one.
    await until(() => expect(plain.text.includes(`${STATUS}\0\0`)).toBe(true));
    const unit = home.hardware.units[0];
    if (unit !== undefined) unit.values['PV power'] = 900;
    await until(() => expect(plain.text.includes(`${PV}900`)).toBe(true));
    await until(() => expect(home.status?.reason).toContain('the broker does not answer'));
    expect(home.status?.state).toBe('connected');
  });
});

describe('a broker that leaves subscriptions unanswered', () => {
  it('a silent broker gets the values', async () => {
    const plain = await startPlainBroker(() => {});
    undo.defer(() => plain.stop());
    const home = await start({ url: plain.url, answerMs: 100 });
    await until(() => expect(plain.text.includes(`${PV}1240`)).toBe(true));
    expect(home.status?.state).toBe('connected');
    expect(lines.join()).toContain('the broker does not answer the subscription');
  });

  it('a silent broker keeps topics that are not published any more, and gets the values', async () => {
    let sensors: readonly AlertSensor[] = [
      { id: 'battery_low', title: 'Battery', isOn: false, attributes: '{}' },
    ];
    const config = 'homeassistant/binary_sensor/alerts_battery_low/config';
    const plain = await startPlainBroker((text, socket) => {
      const answer = subscriptionAnswer(text, 'solar_assistant/+/+/set', 3);
      if (answer !== undefined && !text.includes(`${config}\0`)) socket.write(answer);
    });
    undo.defer(() => plain.stop());
    const home = await start({ url: plain.url, answerMs: 100, alerts: () => sensors });
    await until(() => expect(plain.text).toContain(config));
    sensors = [];
    // In a request a filter is followed by its quality of service, 0.
    await until(() => expect(plain.text.includes(`${config}\0`)).toBe(true));
    const unit = home.hardware.units[0];
    if (unit !== undefined) unit.values['PV power'] = 900;
    await until(() => expect(plain.text.includes(`${PV}900`)).toBe(true));
    expect(home.status?.state).toBe('connected');
  });
});

it('attributes of alerts that outgrow the limit of a broker are a reason, and one line in the log', async () => {
  const topic = 'solar_assistant/alerts/battery_low/attributes';
  let attributes = '{}';
  const rules: AedesOptions = {
    authorizeForward: (_, packet) => (packet.payload.length > 2_000 ? undefined : packet),
  };
  const home = await start({
    url: (await broker({ rules })).url,
    alerts: () => [{ id: 'battery_low', title: 'Battery', isOn: true, attributes }],
  });
  await until(() => expect(home.status).toMatchObject({ state: 'connected', reason: null }));
  attributes = JSON.stringify({ alerts: new Array(20).fill('State of charge is 4 %, below 5 %'.repeat(4)) });
  await until(() => {
    home.home.clock.advance(300_000);
    expect(home.status?.reason).toContain(`so ${topic} is missing or out of date`);
  });
  await polling(home);
  expect(home.status?.state).toBe('connected');
  // On a loaded machine the broker may have seemed silent before, which is a line of its own.
  const reported = lines.filter(
    (line) => line.includes('MQTT messages do not arrive') && line.includes(topic),
  );
  expect(reported).toHaveLength(1);
});

it('a broker that ends each connection after a moment is one failure in the log, with what may be the cause', async () => {
  let ended = 0;
  const rules: AedesOptions = {
    authorizePublish: (_, { topic }, done) => {
      if (!topic.endsWith('/state')) return done(null);
      ended++;
      done(new Error('too long'));
    },
  };
  const home = await start({ url: (await broker({ rules })).url, stableMs: 60_000 });
  await until(() => expect(ended).toBeGreaterThan(4));
  await polling(home);
  expect(lines.filter((line) => line.includes('not reached'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('reached again'))).toEqual([]);
  expect(lines.join()).toContain(`another program may have the client id ${CLIENT_ID}`);
});
