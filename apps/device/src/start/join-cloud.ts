import { isLoopback } from '@heliograph/kit';
import { CloudAlerts } from '../cloud/alerts/cloud-alerts.ts';
import { CloudHistory } from '../cloud/history/cloud-history.ts';
import { newestValues } from '../cloud/history/newest-values.ts';
import { deviceFacts } from '../cloud/uplink/device-facts.ts';
import { Uplink } from '../cloud/uplink/uplink.ts';
import { CloudProblems } from '../common/cloud-problems.ts';
import { Registration } from '../common/registration.ts';
import { silentConnections } from '../poll/links/silent-connections.ts';
import { installationIn, storedInstallation } from '../storage/installation.ts';
import type { Ground } from './ground.ts';
import type { MeasuredEnergy } from './measure-energy.ts';
import type { DeviceData } from './open-data.ts';
import type { PolledHardware } from './read-hardware.ts';
import type { RecordedHistory } from './record-history.ts';
import type { Served } from './serve-home.ts';
import type { OpenedAlerts } from './watch-alerts.ts';

/** Enrols at the configured cloud, dials its proxy, and sends backups, history and alerts until the cloud has them. */
export function joinCloud(
  { config, clock, logger, undo }: Ground,
  { store, storeProblem, isItself, key, uid, access, delegations, updates }: DeviceData,
  { history, passed, snapshots }: RecordedHistory,
  { meter }: MeasuredEnergy,
  { pollers, energyHistory, ownUnits }: PolledHardware,
  { alerts, watch }: OpenedAlerts,
  { pages, api }: Served,
): void {
  const { cloudUrl, host, timeZone } = config;
  if (cloudUrl === undefined || !isItself) return;
  const registration = new Registration();
  const problems = new CloudProblems();
  const uplink = new Uplink({
    cloudUrl,
    uid,
    key,
    installation: storeProblem === null ? installationIn(store, logger) : storedInstallation(store),
    region: config.region,
    facts: () =>
      deviceFacts({
        units: ownUnits(),
        silentSince: silentConnections(pollers, clock),
        beta: updates.settings.channel === 'beta',
        host,
        port: api.port,
      }),
    site: access.site,
    registration,
    problems,
    revocations: access.revocations,
    support: access.support,
    delegations,
    onUpdates: (ofSite) => void updates.learn(ofSite),
    store,
    onCloudReached: () => {
      access.time.confirm();
      // A cloud on this computer has the same clock.
      if (!isLoopback(new URL(cloudUrl).hostname)) passed.confirm(clock.now());
      void access.keys.refresh();
    },
    handler: api.tunnel,
    clock,
    logger,
  });
  uplink.start();
  pages.uplink = uplink;
  undo.defer(() => uplink.stop());
  if (storeProblem !== null) return;
  pages.startBackups(registration);
  const cloudHistory = new CloudHistory({
    access: { cloudUrl, uid, key },
    problems,
    registration,
    reads: {
      history: (request) => history.read(request),
      energy: (request, countedMs) => energyHistory.read(request, countedMs),
      since: () => Math.min(history.since() ?? Infinity, energyHistory.since() ?? Infinity),
      zone: timeZone,
    },
    newest: () => newestValues(snapshots.current, meter.today(), clock.now(), timeZone),
    store,
    clock,
    logger,
  });
  const cloudAlerts = new CloudAlerts({
    access: { cloudUrl, uid, key },
    problems,
    registration,
    alerts,
    watch,
    store,
    clock,
    logger,
  });
  cloudAlerts.start();
  undo.defer(() => cloudAlerts.stop());
  cloudHistory.start();
  undo.defer(() => cloudHistory.stop());
}
