import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Env, silentLogger } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { startBroker } from '../../../test/serve/mqtt/test-broker.ts';
import { Watcher } from '../../../test/serve/mqtt/watcher.ts';
import { loadConfig } from '../../config/config.ts';
import { startDevice } from '../../device.ts';
import { loadFamilies } from '../../drivers/families/families.ts';

it('a device whose configuration file names a broker publishes there, until it stops', async () => {
  await using undo = new AsyncDisposableStack();
  const broker = await startBroker();
  undo.defer(() => broker.stop());
  const watcher = await Watcher.connect(broker.url);
  undo.defer(() => watcher.close());
  const folder = mkdtempSync(join(tmpdir(), 'device-mqtt-'));
  undo.defer(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'device.yaml'),
    `poll_interval_s: 0.05\nmdns: true\nmqtt:\n  url: ${broker.url}\n  topic_prefix: garage\n`,
  );
  const env = new Env({ DEVICE_DATA: folder, DEVICE_HOST: '127.0.0.1', DEVICE_PORT: '0' });
  const device = await startDevice(loadConfig(env, await loadFamilies()), { logger: silentLogger });
  undo.defer(() => device.stop());
  await watcher.until('garage/status', 'online');
  expect(watcher.latest.get('garage/system/software_version/state')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  const config = watcher.latest.get('homeassistant/sensor/garage/system_site_id/config') ?? '{}';
  expect(JSON.parse(config)).toMatchObject({ unique_id: `${device.facts.uid}_system_site_id` });
  await device.stop();
  await watcher.until('garage/status', 'offline');
});
