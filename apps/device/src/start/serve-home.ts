import type { DeviceStoreLoss } from '@heliograph/contracts';
import { AddressList, projectVersion } from '@heliograph/kit';
import { levelOfFailures, RequestObserver, startSpanExport } from '@heliograph/telemetry';
import { ConfigurationWatch } from '../admin/configuration/configuration-watch.ts';
import { DeviceMetrics } from '../admin/monitoring/metrics.ts';
import { presentLoss } from '../admin/monitoring/present-loss.ts';
import { deviceReadiness } from '../admin/monitoring/readiness.ts';
import { DevicePages } from '../admin/pages/device-pages.ts';
import { lanAddress } from '../common/lan-address.ts';
import { SOFTWARE_VERSION } from '../common/software-version.ts';
import { type DeviceApi, startDeviceApi } from '../serve/api/device-api.ts';
import type { Ground } from './ground.ts';
import type { MeasuredEnergy } from './measure-energy.ts';
import type { DeviceData } from './open-data.ts';
import type { PolledHardware } from './read-hardware.ts';
import type { RecordedHistory } from './record-history.ts';
import type { OpenedAlerts } from './watch-alerts.ts';
import type { Settings } from './write-settings.ts';

export type Served = Awaited<ReturnType<typeof serveHome>>;

/** Serves the API and the pages of the device. @throws the system's error when the port is taken */
export async function serveHome(
  { config, clock, logger, logTail, restarts, backupKeyCost, undo }: Ground,
  data: DeviceData,
  { history, recording, snapshots }: RecordedHistory,
  { meter, hours }: MeasuredEnergy,
  { connections, units, pollers, sameHardware, unknownTotals, tariffs, energyHistory }: PolledHardware,
  { rules, alerts, watch }: OpenedAlerts,
  { settings, writes }: Settings,
) {
  const { db, store, storeProblem, losses, key, uid, audit, auditLog, access, delegations } = data;
  const { host, dataFolder } = config;
  const storeLoss = (): DeviceStoreLoss | null =>
    losses.current && presentLoss(losses.current, hours, config.timeZone);
  const pages = new DevicePages({
    storeLoss,
    config,
    uid,
    site: access.site,
    connections,
    pollers,
    units,
    sameHardware,
    unknownTotals,
    snapshots,
    restarts,
    audit,
    delegations,
    privateKey: key.privateJwk.d ?? '',
    storeBytes: () => db.serialize(),
    store,
    key,
    writes,
    energy: meter,
    logTail,
    backupKeyCost,
    clock,
    logger,
  });
  undo.defer(() => pages.stop());
  const spans = await startSpanExport(config.openTelemetry, logger);
  undo.defer(() => spans?.stop());
  const configuration = new ConfigurationWatch({ config, restarts, logger });
  configuration.start();
  undo.defer(() => configuration.stop());
  let served: DeviceApi | undefined;
  const watched = {
    connections: config.connections,
    pollers,
    snapshots,
    history: recording,
    store: () => ({ failure: storeProblem?.fault ?? meter.failure, loss: storeLoss() }),
    dataFolder,
    uplink: () => pages.uplink?.status,
    mqtt: () => pages.bridge?.status,
  };
  const metrics = new DeviceMetrics({ ...watched, streamClients: () => served?.streamClients ?? 0, clock });
  const api = await startDeviceApi({
    host,
    port: config.port,
    uid,
    access,
    storeProblem,
    losses,
    snapshots,
    settings,
    writes,
    audit,
    auditLog,
    history,
    energy: energyHistory,
    tariffs,
    alerting: { rules, alerts, watch },
    calendar: config,
    energyToday: () => meter.today(),
    pages,
    monitoring: {
      observer: new RequestObserver({ logger, levelOf: levelOfFailures, metrics: metrics.requests, spans }),
      readiness: deviceReadiness({ ...watched, configuration }),
      metrics: () => metrics.text(),
      metricsFrom: new AddressList(config.metricsFrom),
    },
    clock,
    logger,
  });
  served = api;
  undo.defer(() => api.stop());
  pages.served(api.port);
  return { pages, api };
}

/** The first line of a device's log that a person looks for. */
export function logAddress(
  { config, logger }: Ground,
  { uid, isItself, storeProblem, access }: DeviceData,
  { api }: Served,
): void {
  const address = `http://${lanAddress(config.host) ?? '127.0.0.1'}:${api.port}`;
  logger.info(
    {
      version: projectVersion(),
      release: SOFTWARE_VERSION,
      // One of a store in memory ends with this run.
      uid: isItself ? uid : null,
      cloud: config.cloudUrl ?? null,
    },
    storeProblem !== null
      ? `the device serves this home at ${address}, without its stored data: open it in a browser`
      : access.password.isSet
        ? `the device serves this home at ${address}`
        : `the device serves this home at ${address}: open it in a browser to set its password`,
  );
}
