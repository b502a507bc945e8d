import { afterEach, beforeEach, expect, it } from 'vitest';
import { BridgedHome } from '../../../test/serve/mqtt/bridged-home.ts';
import { startBroker, type TestBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { until, Watcher } from '../../../test/serve/mqtt/watcher.ts';
import type { NewAlert, StoredAlert } from '../../alerts/alert-store.ts';

const NOW = Date.parse('2026-06-21T10:00:00Z');
const LOW: NewAlert = {
  rule: 'battery_low',
  kind: 'below',
  severity: 'warning',
  topic: 'battery_1/state_of_charge',
  name: 'State of charge',
  detail: null,
  value: 4,
  limit: 5,
  unit: '%',
  since: NOW,
  raisedAt: NOW,
  lastAt: NOW,
};
const TOPIC = 'solar_assistant/alert';

let broker: TestBroker;
let watcher: Watcher;
let bridged: BridgedHome | undefined;
beforeEach(async () => {
  broker = await startBroker();
  watcher = await Watcher.connect(broker.url);
});
afterEach(async () => {
  await bridged?.stop();
  await watcher.close();
  await broker.stop();
});

const start = async (folder?: string): Promise<BridgedHome> => {
  bridged = await new BridgedHome({ url: broker.url, ...(folder !== undefined && { folder }) }).start();
  await watcher.until('solar_assistant/status', 'online');
  return bridged;
};

const report = (alert: StoredAlert): StoredAlert => {
  bridged?.report(alert);
  return alert;
};

const received = (...expected: readonly (readonly [string, string])[]): Promise<void> =>
  until(() => {
    const messages = watcher.textsOf(TOPIC).map((text) => JSON.parse(text));
    expect(messages.map(({ event_type: type, topic }) => [type, topic])).toEqual(expected);
  });

const [FIRST, SECOND] = ['battery_1/state_of_charge', 'battery_2/state_of_charge'] as const;

it('an alert is a message when it begins, when it is acknowledged and when it is over', async () => {
  const { alerts } = await start();
  const { id } = report(alerts.insert(LOW));
  await received(['raised', FIRST]);
  report(alerts.update(id, { acknowledgedAt: NOW, acknowledgedBy: 'local' }) as StoredAlert);
  await received(['raised', FIRST], ['acknowledged', FIRST]);
  report(alerts.update(id, { clearedAt: NOW + 1_000 }) as StoredAlert);
  await received(['raised', FIRST], ['acknowledged', FIRST], ['cleared', FIRST]);
  const [message] = watcher.received.filter(({ topic }) => topic === TOPIC);
  expect(message?.retained).toBe(false);
  expect(JSON.parse(message?.text ?? '')).toMatchObject({
    ...{ id, rule: 'battery_low', state: 'raised', severity: 'warning', value: 4, limit: 5, unit: '%' },
    text: 'Battery 1: State of charge is 4 %, below 5 %',
    since: '2026-06-21T10:00:00.000Z',
  });
});

it('alerts of a time without the broker are messages once it is back, each once, and those before the first start none', async () => {
  const { alerts, home } = await start();
  report(alerts.insert(LOW));
  await received(['raised', FIRST]);
  await bridged?.stopBridge();
  alerts.insert({ ...LOW, topic: SECOND });
  await bridged?.home.stop({ keep: true });
  await start(home.folder);
  await received(['raised', FIRST], ['raised', SECOND]);
});

it('Home Assistant is offered an event of alerts', async () => {
  await start();
  expect(JSON.parse(watcher.latest.get('homeassistant/event/alert/config') ?? '')).toMatchObject({
    name: 'Alert',
    state_topic: TOPIC,
    event_types: ['raised', 'acknowledged', 'cleared'],
  });
});
