import { messageOf } from '@heliograph/kit';
import { createAccess } from '../access/access.ts';
import { Audit, DEVICE_ACTOR } from '../access/audit/audit.ts';
import { SignInTrace } from '../access/audit/sign-in-trace.ts';
import { UpdateChoice } from '../admin/update/update-choice.ts';
import { valuesIn } from '../config/check.ts';
import { offerExample } from '../config/config-text.ts';
import { Delegations } from '../config/delegations/delegations.ts';
import { AuditLog } from '../storage/audit-log.ts';
import { openDeviceStore } from '../storage/opening/temporary-store.ts';
import type { Ground } from './ground.ts';

export type DeviceData = Awaited<ReturnType<typeof openData>>;

/** Opens the store with the identity of the device, and what decides about access to it. */
export async function openData({ config, clock, logger, restarts, storeFailure, undo }: Ground) {
  const { dataFolder, cloudUrl } = config;
  const opened = await openDeviceStore(dataFolder, {
    canRestart: restarts !== undefined,
    storeFailure,
    clock,
    logger,
  });
  undo.defer(() => opened.close());
  const { problem, db, identity, settings: store, losses } = opened;
  if (config.fileFault === null)
    await offerExample(config.configFile).catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'no example of a configuration file could be written');
    });
  const auditLog = new AuditLog(db);
  const audit = new Audit({ log: auditLog, clock, logger });
  const access = createAccess({ store, cloudUrl, watch: new SignInTrace(audit, clock), clock, logger });
  const delegations = new Delegations({
    running: valuesIn(config.configText ?? ''),
    store,
    site: access.site,
    // Without a cloud all authors are of the household.
    isStoreLost: cloudUrl !== undefined && losses.current?.settings === true,
    now: () => access.time.now(),
  });
  const updates = await UpdateChoice.open({
    dataFolder,
    configured: { channel: config.channel, automatic: config.automaticUpdates },
    hasCloud: cloudUrl !== undefined,
    logger,
  });
  const { initialPassword } = config;
  if (initialPassword !== undefined) {
    if (problem !== null) access.password.assume(initialPassword);
    else if (await access.password.setIfNone(initialPassword)) audit.record('password.set', DEVICE_ACTOR);
  }
  return {
    db,
    store,
    storeProblem: problem,
    losses,
    ...identity,
    /** Whether this start has the identity of the device. */
    isItself: problem === null || problem.hasIdentity,
    auditLog,
    audit,
    access,
    delegations,
    updates,
  };
}
