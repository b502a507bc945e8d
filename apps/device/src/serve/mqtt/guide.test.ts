import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Alert } from '@heliograph/contracts';
import { expect, it } from 'vitest';
import { BridgedHome } from '../../../test/serve/mqtt/bridged-home.ts';
import { startBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { Watcher } from '../../../test/serve/mqtt/watcher.ts';
import type { Rule } from '../../config/alert-rules/alert-rules.ts';
import { BUILT_IN_RULES } from '../../config/alert-rules/built-in-rules.ts';
import { alertSensors } from './alert-sensors.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../../docs/mqtt.md'), 'utf8');
const EXAMPLES = [...GUIDE.matchAll(/^\| `(solar_assistant\/[^`]+)` \| `([^`]+)` \|/gm)].map(
  ([, topic = '', text = '']) => [topic, text] as const,
);

const LOW = {
  rule: 'battery_low',
  since: '2026-11-26T18:20:00.000Z',
  text: 'Battery 1: State of charge is 4 %, below 5 %',
} as Alert;

it('docs/mqtt.md shows topics and texts as they are', async () => {
  await using undo = new AsyncDisposableStack();
  const broker = await startBroker();
  undo.defer(() => broker.stop());
  const watcher = await Watcher.connect(broker.url);
  undo.defer(() => watcher.close());
  const [low] = BUILT_IN_RULES.filter(({ id }) => id === 'battery_low').map(
    (rule): Rule => ({ ...rule, source: 'built_in' }),
  );
  const alerts = alertSensors(low === undefined ? [] : [low], [LOW]);
  const home = await new BridgedHome({ url: broker.url, alerts: () => alerts }).start();
  undo.defer(() => home.stop());
  await watcher.until('solar_assistant/status', 'online');
  expect(EXAMPLES.length).toBeGreaterThan(4);
  for (const [topic, text] of EXAMPLES) expect([topic, watcher.latest.get(topic)]).toEqual([topic, text]);
});
