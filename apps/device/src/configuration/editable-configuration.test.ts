import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@heliograph/kit';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryStore } from '../api/testing/test-device.ts';
import { Audit } from '../audit/audit.ts';
import type { Caller } from '../auth/caller.ts';
import type { DeviceConfig } from '../config/config.ts';
import type { Delegations } from '../delegations/delegations.ts';
import { EditableConfiguration } from './editable-configuration.ts';

it('the device starts again only once the answer to a change is ready to be sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-'));
  const records = temporaryStore();
  onTestFinished(() => {
    records.remove();
    rmSync(folder, { recursive: true });
  });
  const configFile = join(folder, 'device.yaml');
  const configText = 'mdns: false\n';
  writeFileSync(configFile, configText);
  let isAnswered = false;
  const restart = Promise.withResolvers<boolean>();
  const configuration = new EditableConfiguration(
    // A change of the file reads nothing else.
    { configFile, configText, connections: [] } as unknown as DeviceConfig,
    // An answer that is ready is given before the event loop turns; one whose files are still read is not.
    { problem: null, pending: false, soon: () => setImmediate(() => restart.resolve(isAnswered)) },
    new Audit({ log: records.auditLog, clock: systemClock, logger: silentLogger }),
    // Nothing is delegated.
    { record: () => undefined, list: () => [] } as unknown as Delegations,
  );
  // Its record needs nothing else.
  const caller = { name: 'local', via: 'lan', address: '192.168.1.2' } as unknown as Caller;
  const answer = configuration.change({ mdns: true }, caller).then((changed) => {
    isAnswered = true;
    return changed;
  });
  expect(await restart.promise).toBe(true);
  expect(await answer).toMatchObject({ mdns: true, taking_effect: true });
});
