import {
  type Clock,
  createLogger,
  type Logger,
  type Running,
  standardError,
  systemClock,
} from '@heliograph/kit';
import { DEVICE_ACTOR } from './access/audit/audit.ts';
import type { ScryptCost } from './admin/backup/backup-key.ts';
import type { Restarts } from './admin/configuration/editable-configuration.ts';
import { LogTail } from './admin/diagnostics/log-tail.ts';
import type { DeviceConfig } from './config/config.ts';
import { loadFamilies } from './drivers/families/families.ts';
import { Connections } from './poll/links/connections.ts';
import type { SnapshotSource } from './poll/snapshot.ts';
import { advertise, publishToBroker } from './start/announce.ts';
import { attempt, type Ground } from './start/ground.ts';
import { joinCloud } from './start/join-cloud.ts';
import { measureEnergy } from './start/measure-energy.ts';
import { openData } from './start/open-data.ts';
import { readHardware } from './start/read-hardware.ts';
import { recordHistory } from './start/record-history.ts';
import { logAddress, serveHome } from './start/serve-home.ts';
import { openAlerts, watchAlerts } from './start/watch-alerts.ts';
import { writeSettings } from './start/write-settings.ts';

/** How long a start waits for the first poll before it goes on without, in milliseconds. */
const FIRST_POLL_WAIT_MS = 3_000;

export interface DeviceAddress {
  /** The API's URL on this machine. */
  readonly url: string;
  readonly uid: string;
}

export interface DeviceSurroundings {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** The lines of the logger, for diagnostic bundles. */
  readonly logTail?: LogTail;
  /** Restarts the device; left out, its configuration cannot be changed from its pages. */
  readonly restarts?: Restarts | undefined;
  /** Why a start with the store failed: it is left alone, and one in memory takes its place. */
  readonly storeFailure?: string | undefined;
  /** Of keys of new backups; another one in tests alone. */
  readonly backupKeyCost?: ScryptCost | undefined;
}

/**
 * Starts the whole device: storage, polling, energy, settings, the local API and, where they are configured, mDNS,
 * MQTT and the uplink.
 * What was started is stopped in reverse, also when a later part cannot start.
 *
 * @throws ConfigError, or the system's error when the port is taken
 */
export async function startDevice(
  config: DeviceConfig,
  surroundings: DeviceSurroundings = {},
): Promise<Running<DeviceAddress>> {
  const {
    clock = systemClock,
    logTail = new LogTail(),
    restarts,
    storeFailure,
    backupKeyCost,
  } = surroundings;
  const { logger = createLogger('device', undefined, logTail.before(standardError())) } = surroundings;
  await using undo = new AsyncDisposableStack();
  const ground: Ground = { config, clock, logger, logTail, restarts, storeFailure, backupKeyCost, undo };

  const families = await loadFamilies({
    wanted: config.connections.map(({ driver }) => driver),
    configFile: config.configFile,
  });
  const connections = new Connections(config.connections, families, clock);
  const data = await openData(ground);
  const recording = await recordHistory(ground, data);
  const energy = await measureEnergy(ground, data, recording);
  const hardware = readHardware(ground, data, recording, energy, connections);
  const alerting = openAlerts(ground, data, recording, hardware);
  const settings = writeSettings(ground, data, recording, hardware, alerting);
  const served = await serveHome(ground, data, recording, energy, hardware, alerting, settings);
  logAddress(ground, data, served);
  await watchAlerts(ground, data, alerting);
  hardware.collector.start();
  await firstPoll(recording.snapshots);
  advertise(ground, data, recording, served);
  await publishToBroker(ground, data, recording, hardware, alerting, settings, served);
  joinCloud(ground, data, recording, energy, hardware, alerting, served);

  const problem = restarts?.problem ?? null;
  if (problem !== null) data.audit.record('configuration.revert', DEVICE_ACTOR, { subject: problem });
  attempt(() => data.losses.started(), logger);

  const running = undo.move();
  return {
    facts: { url: served.api.url, uid: data.uid },
    async stop() {
      await settings.finish();
      await running.disposeAsync();
    },
  };
}

/** Facts about the hardware are reported to the cloud when the uplink starts, so that they are worth a short wait. */
async function firstPoll(snapshots: SnapshotSource): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = snapshots.subscribe(({ sequence }) => {
    if (sequence > 0) resolve();
  });
  const timer = setTimeout(resolve, FIRST_POLL_WAIT_MS);
  await promise;
  unsubscribe();
  clearTimeout(timer);
}
