import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BridgedHome } from './testing/bridged-home.ts';
import { startBroker } from './testing/test-broker.ts';
import { Watcher } from './testing/watcher.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/mqtt.md'), 'utf8');
const EXAMPLES = [...GUIDE.matchAll(/^\| `(solar_assistant\/[^`]+)` \| `([^`]+)` \|/gm)].map(
  ([, topic = '', text = '']) => [topic, text] as const,
);

it('docs/mqtt.md shows topics and texts as they are', async () => {
  await using undo = new AsyncDisposableStack();
  const broker = await startBroker();
  undo.defer(() => broker.stop());
  const watcher = await Watcher.connect(broker.url);
  undo.defer(() => watcher.close());
  const home = await new BridgedHome({ url: broker.url }).start();
  undo.defer(() => home.stop());
  await watcher.until('solar_assistant/status', 'online');
  expect(EXAMPLES.length).toBeGreaterThan(4);
  for (const [topic, text] of EXAMPLES) expect([topic, watcher.latest.get(topic)]).toEqual([topic, text]);
});
