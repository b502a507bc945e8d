import type { Alert } from '@heliograph/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BridgedHome } from '../../../test/serve/mqtt/bridged-home.ts';
import { startBroker, type TestBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { Watcher } from '../../../test/serve/mqtt/watcher.ts';
import type { Rule } from '../../config/alert-rules/alert-rules.ts';
import { type AlertSensor, alertSensors } from './alert-sensors.ts';

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  name: null,
  enabled: true,
  severity: 'warning',
  condition: { kind: 'below', topics: ['battery_*/state_of_charge'], limit: 5, for_s: 600 },
  source: 'built_in',
  ...more,
});
const RULES = [
  rule('battery_low'),
  rule('boiler', { name: 'Boiler room', source: 'owner' }),
  rule('off', { enabled: false }),
];
const SINCE = '2026-06-21T10:00:00.000Z';
const OPEN = [
  { rule: 'battery_low', since: SINCE, text: 'Battery 1: State of charge is 4 %, below 5 %' },
] as Alert[];

const STATE = 'solar_assistant/alerts/battery_low/state';
const CONFIG = 'homeassistant/binary_sensor/alerts_battery_low/config';

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

it('each rule that is switched on is a problem sensor of Home Assistant, with the sentences of its alerts', async () => {
  const sensors: AlertSensor[] = [...alertSensors(RULES, OPEN)];
  bridged = await new BridgedHome({ url: broker.url, alerts: () => sensors }).start();
  await watcher.until(STATE, 'true');
  await watcher.until('solar_assistant/alerts/boiler/state', 'false');
  expect(JSON.parse(watcher.latest.get('solar_assistant/alerts/battery_low/attributes') ?? '')).toEqual({
    severity: 'warning',
    count: 1,
    since: SINCE,
    alerts: ['Battery 1: State of charge is 4 %, below 5 %'],
  });
  expect(JSON.parse(watcher.latest.get(CONFIG) ?? '')).toMatchObject({
    name: 'Battery low',
    device_class: 'problem',
    state_topic: STATE,
    payload_on: 'true',
    payload_off: 'false',
  });
  expect([...watcher.latest.keys()].filter((topic) => topic.includes('alerts/off'))).toEqual([]);

  // The alert clears, and the other rule is removed.
  sensors.splice(0, 2, ...alertSensors(RULES.slice(0, 1), []));
  await watcher.until(STATE, 'false');
  await watcher.until('homeassistant/binary_sensor/alerts_boiler/config', undefined);
});
