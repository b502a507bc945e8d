import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgedHome, type BridgedHomeOptions } from '../../../test/serve/mqtt/bridged-home.ts';
import { startBroker, type TestBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { until, Watcher } from '../../../test/serve/mqtt/watcher.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { RejectedByHardware } from '../../drivers/driver.ts';

const STATUS = 'solar_assistant/status';
const RESPONSE = 'solar_assistant/set/response_message/state';
const CURRENT = 'solar_assistant/inverter_1/max_charge_current';

let broker: TestBroker;
let watcher: Watcher;
let bridged: BridgedHome;

const start = async (options: Partial<BridgedHomeOptions> = {}): Promise<BridgedHome> => {
  bridged = await new BridgedHome({ url: broker.url, ...options }).start();
  await watcher.until(STATUS, 'online');
  return bridged;
};

/** Publishes to a metric's `set` topic and waits for the answer. */
const set = async (
  metric: string,
  text: string,
  options?: { qos?: 0 | 1; retain?: boolean },
): Promise<string> => {
  const { length } = watcher.textsOf(RESPONSE);
  await watcher.publish(`solar_assistant/${metric}/set`, text, options);
  await until(() => expect(watcher.textsOf(RESPONSE)).toHaveLength(length + 1));
  return watcher.textsOf(RESPONSE)[length] ?? '';
};

const written = () => bridged.hardware.writes.map(({ name, value }) => [name, value]);

beforeEach(async () => {
  broker = await startBroker();
  watcher = await Watcher.connect(broker.url);
});

afterEach(async () => {
  await bridged.stop();
  await watcher.close();
  await broker.stop();
});

describe('a write', () => {
  it('a write is sent once, read back, answered and in the log', async () => {
    const { home } = await start();
    expect(await set('inverter_1/max_charge_current', '40.0')).toBe('Saved');
    await watcher.until(`${CURRENT}/state`, '40');
    expect(written()).toEqual([['Max charge current', 40]]);
    expect(home.log.recent(5)).toMatchObject([
      {
        author: `MQTT ${broker.url}`,
        via: 'mqtt',
        topic: 'inverter_1/max_charge_current',
        oldValue: '25',
        newValue: '40',
      },
    ]);
    const later = await Watcher.connect(broker.url);
    await later.until(STATUS, 'online');
    expect(later.latest.has(RESPONSE)).toBe(false);
    await later.close();
  });

  it.each([
    [
      'inverter_1/work_mode',
      'zero export to load',
      'Work mode',
      'Zero export to load',
      'Zero export to load',
    ],
    ['inverter_1/grid_charge', 'TRUE', 'Grid charge', 'Enabled', 'true'],
    ['inverter_1/grid_charge', 'Enabled', 'Grid charge', 'Enabled', 'true'],
  ])('a write of %s accepts "%s"', async (metric, text, name, value, state) => {
    await start();
    expect(await set(metric, text)).toBe('Saved');
    expect(written()).toEqual([[name, value]]);
    await watcher.until(`solar_assistant/${metric}/state`, state);
  });

  it.each([
    [
      'inverter_1/max_charge_current',
      '101',
      /^Error: inverter_1\/max_charge_current must be a number from 0 to 100/,
    ],
    ['inverter_1/pv_power', '1', /^Error: inverter_1\/pv_power cannot be written$/],
    [
      'inverter_1/combine_pv/ac_supply',
      'false',
      /^Error: inverter_1\/combine_pv\/ac_supply cannot be written$/,
    ],
    ['inverter_9/x', '1', /^Error: inverter_9\/x is not a topic of this device$/],
  ])('a write of %s = %s is refused', async (metric, text, answer) => {
    await start();
    expect(await set(metric, text)).toMatch(answer);
    expect(written()).toEqual([]);
  });

  it.each([
    [new RejectedByHardware('not while it runs on battery'), /: not while it runs on battery$/],
    [new LinkDown('gone'), /was not written: the hardware cannot be reached$/],
    [
      new WriteUnanswered('silence'),
      /whether it was written is unknown; it was not sent a second time, and the next readings show its value, usually by 20\d\d-\d\d-\d\dT[\d:]{8}Z$/,
    ],
    [new Error('secret detail'), /^Error: inverter_1\/max_charge_current: internal error$/],
  ])('a write that fails with %s is answered with an error and sent once', async (failure, answer) => {
    const { hardware } = await start();
    hardware.duringWrite = () => Promise.reject(failure);
    expect(await set('inverter_1/max_charge_current', '40')).toMatch(answer);
    expect(written()).toEqual([['Max charge current', 40]]);
  });

  it('a write is refused unless the user has allowed writes', async () => {
    await start({ allowWrites: false });
    expect(await set('inverter_1/max_charge_current', '40')).toMatch(
      /^Error: .* writes over MQTT are switched off$/,
    );
    expect(written()).toEqual([]);
  });
});

describe('a message that is no current request', () => {
  it('a retained message is not written: it would be at every start', async () => {
    await watcher.publish(`${CURRENT}/set`, '40', { retain: true });
    await start();
    await until(() => expect(watcher.textsOf(RESPONSE)).toHaveLength(1));
    expect(watcher.textsOf(RESPONSE)[0]).toMatch(/^Error: .* the message is retained/);
    expect(written()).toEqual([]);
  });

  it('an empty message, which deletes a retained one, is not written', async () => {
    await start();
    await watcher.publish(`${CURRENT}/set`, '', { retain: true });
    expect(await set('inverter_1/max_charge_current', '41')).toBe('Saved');
    expect([written(), watcher.textsOf(RESPONSE)]).toEqual([[['Max charge current', 41]], ['Saved']]);
  });

  it('a message published while the device was away is not written', async () => {
    const away = await start();
    await away.stopBridge();
    await watcher.until(STATUS, 'offline');
    await watcher.publish(`${CURRENT}/set`, '40');
    const folder = away.home.folder;
    await away.stop({ keep: true });
    await start({ folder });
    expect(await set('inverter_1/max_charge_current', '41')).toBe('Saved');
    expect(written()).toEqual([['Max charge current', 41]]);
  });
});

describe('a message that comes twice', () => {
  it('a doubled message is written once and answered twice', async () => {
    await start();
    expect(await set('inverter_1/max_charge_current', '40')).toBe('Saved');
    expect(await set('inverter_1/max_charge_current', '40')).toBe('Saved');
    expect(written()).toEqual([['Max charge current', 40]]);
  });

  it('a message doubled across a broken connection is written once', async () => {
    await start();
    expect(await set('inverter_1/max_charge_current', '40', { qos: 1 })).toBe('Saved');
    broker.cutClient('heliograph-abcdefghij01');
    await until(() => expect(watcher.textsOf(STATUS)).toEqual(['online', 'offline', 'online']));
    expect(await set('inverter_1/max_charge_current', '40', { qos: 1 })).toBe('Saved');
    expect(written()).toEqual([['Max charge current', 40]]);
  });

  it('a doubled message is written once although its outcome is unknown', async () => {
    const { hardware } = await start();
    hardware.duringWrite = () => Promise.reject(new WriteUnanswered('silence'));
    const first = await set('inverter_1/max_charge_current', '40');
    expect(await set('inverter_1/max_charge_current', '40')).toBe(first);
    expect(written()).toHaveLength(1);
  });

  it.each([
    ['after another value', async () => set('inverter_1/max_charge_current', '50')],
    ['after another caller changed the setting', async () => changeElsewhere(30)],
    ['after a while', async () => bridged.home.clock.advance(10_001)],
  ])('a doubled message is a new request %s', async (_, between) => {
    await start();
    await set('inverter_1/max_charge_current', '40');
    const before = written().length;
    await between();
    const { length } = written();
    expect(length).toBeGreaterThanOrEqual(before);
    expect(await set('inverter_1/max_charge_current', '40')).toBe('Saved');
    expect(written().slice(length)).toEqual([['Max charge current', 40]]);
  });
});

describe('several writes', () => {
  it('several writes are carried out and answered one after the other', async () => {
    const { hardware } = await start();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    hardware.duringWrite = () => mayEnd;
    await watcher.publish(`${CURRENT}/set`, '20');
    await watcher.publish(`${CURRENT}/set`, '30');
    await watcher.publish('solar_assistant/inverter_1/pv_power/set', '1');
    await until(() => expect(written()).toEqual([['Max charge current', 20]]));
    expect(watcher.textsOf(RESPONSE)).toEqual([]);
    end();
    await until(() => expect(watcher.textsOf(RESPONSE)).toHaveLength(3));
    expect(watcher.textsOf(RESPONSE)).toEqual([
      'Saved',
      'Saved',
      'Error: inverter_1/pv_power cannot be written',
    ]);
    expect(written()).toEqual([
      ['Max charge current', 20],
      ['Max charge current', 30],
    ]);
  });

  it('a write beyond sixteen is refused, and one that waited too long is not sent', async () => {
    const { hardware, home } = await start();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    hardware.duringWrite = () => mayEnd;
    for (let value = 1; value <= 18; value++) await watcher.publish(`${CURRENT}/set`, String(value));
    await until(() => expect(watcher.textsOf(RESPONSE)).toHaveLength(2));
    expect(new Set(watcher.textsOf(RESPONSE))).toEqual(new Set(['Error: 16 writes wait already']));
    home.clock.advance(10_001);
    end();
    await until(() => expect(watcher.textsOf(RESPONSE)).toHaveLength(18));
    expect(watcher.textsOf(RESPONSE)[2]).toBe('Saved');
    expect(watcher.textsOf(RESPONSE)[3]).toMatch(/was not written: earlier writes take too long$/);
    expect(written()).toEqual([['Max charge current', 1]]);
  });

  it('writes that wait when the connection ends are not sent', async () => {
    const { hardware } = await start();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    hardware.duringWrite = () => mayEnd;
    await watcher.publish(`${CURRENT}/set`, '20');
    await watcher.publish(`${CURRENT}/set`, '30');
    await until(() => expect(written()).toHaveLength(1));
    broker.cutClient('heliograph-abcdefghij01');
    await until(() => expect(watcher.textsOf(STATUS)).toEqual(['online', 'offline', 'online']));
    end();
    await watcher.until(`${CURRENT}/state`, '20');
    expect(await set('inverter_1/max_charge_current', '45')).toBe('Saved');
    expect(written()).toEqual([
      ['Max charge current', 20],
      ['Max charge current', 45],
    ]);
  });
});

async function changeElsewhere(value: number): Promise<void> {
  const unit = bridged.hardware.units[0];
  if (unit !== undefined) unit.values['Max charge current'] = value;
  await until(() => expect(bridged.home.value('inverter_1/max_charge_current')).toBe(value));
}
