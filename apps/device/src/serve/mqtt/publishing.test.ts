import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgedHome, type BridgedHomeOptions } from '../../../test/serve/mqtt/bridged-home.ts';
import { startBroker, type TestBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { until, Watcher } from '../../../test/serve/mqtt/watcher.ts';
import { LinkDown } from '../../bus/failures.ts';

const STATUS = 'solar_assistant/status';
const PV = 'solar_assistant/inverter_1/pv_power/state';

let broker: TestBroker;
let watcher: Watcher;
let bridged: BridgedHome | undefined;

const start = async (options: Partial<BridgedHomeOptions> = {}): Promise<BridgedHome> => {
  bridged = await new BridgedHome({ url: broker.url, ...options }).start();
  return bridged;
};

beforeEach(async () => {
  broker = await startBroker();
  watcher = await Watcher.connect(broker.url);
});

afterEach(async () => {
  await bridged?.stop();
  bridged = undefined;
  await watcher.close();
  await broker.stop();
});

describe('messages on the broker', () => {
  it('messages have the topics and texts that existing clients read', async () => {
    await start({ homeAssistant: false });
    await watcher.until(STATUS, 'online');
    const states = [...watcher.latest].filter(([topic]) => topic.endsWith('/state'));
    expect(Object.fromEntries(states)).toMatchObject({
      'solar_assistant/total/pv_power/state': '1240',
      'solar_assistant/total/battery_state_of_charge/state': '96',
      [PV]: '1240',
      'solar_assistant/inverter_1/pv_voltage/state': '312.0',
      'solar_assistant/inverter_1/device_mode/state': 'Solar/Battery',
      'solar_assistant/inverter_1/max_charge_current/state': '25',
      'solar_assistant/inverter_1/work_mode/state': 'Selling first',
      'solar_assistant/inverter_1/grid_charge/state': 'false',
      'solar_assistant/inverter_1/combine_pv/ac_supply/state': 'true',
      'solar_assistant/battery_1/state_of_charge/state': '96',
      'solar_assistant/battery_1/cell_voltage_-_highest/state': '3.33',
      'solar_assistant/system/site_id/state': '7',
    });
    expect([...watcher.latest.keys()].filter((topic) => topic.includes('raw'))).toEqual([]);
  });

  it('messages are retained: a later client gets them all', async () => {
    await start();
    await watcher.until(STATUS, 'online');
    const later = await Watcher.connect(broker.url);
    await later.until(STATUS, 'online');
    await until(() => expect(later.latest).toEqual(watcher.latest));
    // A value that changes meanwhile comes once more, as it is published.
    const retained = later.received.filter((message) => message.retained).map(({ topic }) => topic);
    expect(new Set(retained)).toEqual(new Set(watcher.latest.keys()));
    await later.close();
  });

  it('a message is published again only when it changes', async () => {
    const { hardware, home } = await start();
    await watcher.until(STATUS, 'online');
    const { polls } = hardware;
    await until(() => expect(hardware.polls).toBeGreaterThan(polls + 2));
    const unit = hardware.units[0];
    if (unit !== undefined) unit.values['PV power'] = 1300;
    await watcher.until(PV, '1300');
    await watcher.until('solar_assistant/total/pv_power/state', '1300');
    expect(watcher.textsOf(PV)).toEqual(['1240', '1300']);
    expect(watcher.textsOf('solar_assistant/inverter_1/pv_voltage/state')).toEqual(['312.0']);
    expect(home.value('inverter_1/pv_power')).toBe(1300);
  });

  it('an unchanged value is published again every 15 seconds', async () => {
    const { home } = await start();
    await watcher.until(STATUS, 'online');
    home.clock.advance(14_000);
    const { sequence } = home.snapshots.current;
    await until(() => expect(home.snapshots.current.sequence).toBeGreaterThan(sequence + 2));
    home.clock.advance(1_000);
    // One that does not go stale when the clock of the test jumps.
    const version = 'solar_assistant/system/software_version';
    await until(() => expect(watcher.textsOf(`${version}/state`)).toEqual(['2026-07-15', '2026-07-15']));
    expect(watcher.textsOf(`${version}/attributes`)).toHaveLength(1);
    expect(watcher.textsOf(STATUS)).toEqual(['online']);
  });

  it('all messages are published again after a while, for a broker that lost them', async () => {
    const { home } = await start();
    await watcher.until(STATUS, 'online');
    await watcher.publish(PV, '', { retain: true });
    await watcher.until(PV, undefined);
    home.clock.advance(300_000);
    await watcher.until(PV, '1240');
    await until(() => expect(watcher.textsOf(STATUS)).toEqual(['online', 'online']));
  });

  it('a state of charge that is 0 for a moment is never published', async () => {
    const { battery, home } = await start();
    const charge = 'solar_assistant/battery_1/state_of_charge/state';
    await watcher.until(charge, '96');
    const [unit] = battery.units;
    if (unit !== undefined) unit.values['State of charge'] = 0;
    await until(() => expect(home.value('battery_1/state_of_charge')).toBeNull());
    const { polls } = battery;
    await until(() => expect(battery.polls).toBeGreaterThan(polls + 2));
    if (unit !== undefined) unit.values['State of charge'] = 97;
    await watcher.until(charge, '97');
    for (const topic of [charge, 'solar_assistant/total/battery_state_of_charge/state']) {
      expect(watcher.textsOf(topic)).not.toContain('0');
    }
  });

  it('values become unknown and stale when the cable is pulled, and recover', async () => {
    const { hardware, home } = await start();
    const attributes = 'solar_assistant/inverter_1/pv_power/attributes';
    await watcher.until(attributes, '{"stale":false}');
    const readAt = new Date(home.clock.now()).toISOString();
    hardware.failure = new LinkDown('cable pulled');
    const { polls } = hardware;
    await until(() => expect(hardware.polls).toBeGreaterThan(polls));
    home.clock.advance(1_000);
    await watcher.until(PV, 'None');
    await watcher.until(attributes, `{"stale":true,"updated_at":"${readAt}"}`);
    hardware.failure = undefined;
    await watcher.until(PV, '1240');
    await watcher.until(attributes, '{"stale":false}');
  });
});

describe('metrics that vanish', () => {
  it('a vanished metric is deleted from the broker, with its discovery message', async () => {
    const config = 'homeassistant/sensor/inverter_1_pv_voltage/config';
    const before = await start();
    await watcher.until(STATUS, 'online');
    expect(watcher.latest.has(config)).toBe(true);
    await before.stop({ keep: true });
    const after = new BridgedHome({ url: broker.url, folder: before.home.folder });
    const unit = after.hardware.units[0];
    Object.assign(unit ?? {}, {
      quantities: unit?.quantities.filter(({ name }) => name !== 'PV voltage'),
    });
    bridged = await after.start();
    await watcher.until(config, undefined);
    await watcher.until('solar_assistant/inverter_1/pv_voltage/state', undefined);
    await watcher.until(STATUS, 'online');
    expect(watcher.latest.get(PV)).toBe('1240');
  });

  it('settings are controls of Home Assistant only while the author of the broker may have them written', async () => {
    const home = await start();
    const setting = 'inverter_1_max_charge_current/config';
    const [control, sensor] = [`homeassistant/number/${setting}`, `homeassistant/sensor/${setting}`];
    const shown = () => [watcher.latest.has(control), watcher.latest.has(sensor)];
    await until(() => expect(shown()).toEqual([true, false]));
    home.suspension = 'the author has no right to it any more';
    await until(() => expect(shown()).toEqual([false, true]));
    expect(watcher.latest.get(sensor)).not.toContain('command_topic');
    home.suspension = undefined;
    await until(() => expect(shown()).toEqual([true, false]));
  });

  it('messages of a former configuration are deleted too', async () => {
    const before = await start();
    await watcher.until(STATUS, 'online');
    await before.stop({ keep: true });
    bridged = await new BridgedHome({
      url: broker.url,
      folder: before.home.folder,
      topicPrefix: 'garage/solar',
      allowWrites: false,
    }).start();
    await watcher.until('garage/solar/status', 'online');
    expect([...watcher.latest.keys()].filter((topic) => topic.startsWith('solar_assistant'))).toEqual([]);
    const discovered = [...watcher.latest.keys()].filter((topic) => topic.startsWith('homeassistant'));
    expect(discovered.length).toBeGreaterThan(10);
    expect(
      discovered.filter(
        (topic) => !/^homeassistant\/(sensor|event)\/garage_solar\/[a-z0-9_-]+\/config$/.test(topic),
      ),
    ).toEqual([]);
  });
});

describe('availability', () => {
  it('the availability is offline after a proper stop', async () => {
    const home = await start();
    await watcher.until(STATUS, 'online');
    await home.stop();
    bridged = undefined;
    await watcher.until(STATUS, 'offline');
    expect(broker.clients.has('heliograph-abcdefghij01')).toBe(false);
  });

  it('the availability is offline by last will when the device dies', async () => {
    const home = await start();
    await watcher.until(STATUS, 'online');
    // Only the device's connection ends without a word.
    broker.cutClient('heliograph-abcdefghij01');
    await until(() => expect(watcher.textsOf(STATUS)).toContain('offline'));
    await watcher.until(STATUS, 'online');
    expect(home.home.value('inverter_1/pv_power')).toBe(1240);
  });
});
