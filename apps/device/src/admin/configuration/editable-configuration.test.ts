import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@heliograph/kit';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryStore } from '../../../test/serve/api/test-device.ts';
import { Audit } from '../../access/audit/audit.ts';
import type { Caller } from '../../access/caller.ts';
import { RegisteredSite } from '../../access/registered-site.ts';
import { valuesIn } from '../../config/check.ts';
import type { DeviceConfig } from '../../config/config.ts';
import { Delegations } from '../../config/delegations/delegations.ts';
import { EditableConfiguration } from './editable-configuration.ts';

function fileOf(configText: string) {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-'));
  const records = temporaryStore();
  onTestFinished(() => {
    records.remove();
    rmSync(folder, { recursive: true });
  });
  const configFile = join(folder, 'device.yaml');
  writeFileSync(configFile, configText);
  return { configFile, records };
}

it('the device starts again only once the answer to a change is ready to be sent', async () => {
  const configText = 'mdns: false\n';
  const { configFile, records } = fileOf(configText);
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

it('a delegation has a new author only where it was suspended', async () => {
  const configText = 'mqtt: { url: mqtt://192.168.1.5, allow_writes: true }\n';
  const { configFile, records } = fileOf(configText);
  const site = new RegisteredSite(records.store);
  site.set(7);
  const running = valuesIn(configText);
  const delegations = new Delegations({
    running,
    store: records.store,
    site,
    isStoreLost: false,
    now: () => 0,
  });
  const configuration = new EditableConfiguration(
    // Delegations read nothing else.
    { configFile, configText, connections: [] } as unknown as DeviceConfig,
    { problem: null, pending: false, soon: () => undefined },
    new Audit({ log: records.auditLog, clock: systemClock, logger: silentLogger }),
    delegations,
  );
  const admin: Caller = {
    ...{ name: 'user 5', via: 'lan', address: '192.168.1.2', recovery: null },
    token: { userId: 5, source: 'token:3', siteId: 7 },
    ...{ mayWrite: true, mayConfigure: true, isStillAuthorized: () => true },
  };
  const [written] = (await configuration.get()).delegations;
  const keep = () => configuration.keepDelegation(written?.id ?? '', admin);
  await expect(keep()).rejects.toMatchObject({ status: 404 });
  expect((await configuration.get()).delegations).toMatchObject([{ author: null, suspended: null }]);
  delegations.record({}, running, { ...admin, name: 'user 1' });
  const report = delegations.report();
  delegations.learn(
    report,
    report.map((one) => ({ id: one.id, set_at: one.set_at, suspended: 'role', until: null })),
  );
  expect((await keep()).delegations).toMatchObject([{ author: 'user 5', suspended: null }]);
  await expect(keep()).rejects.toMatchObject({ status: 404 });
});
