import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertRuleEntry } from '@heliograph/contracts';
import { EVERY_ADDRESS } from '@heliograph/dev/testing/addresses';
import { type Clock, type Logger, silentLogger, systemClock } from '@heliograph/kit';
import { type Access, createAccess } from '../../../src/access/access.ts';
import { Audit } from '../../../src/access/audit/audit.ts';
import { SignInTrace } from '../../../src/access/audit/sign-in-trace.ts';
import type { HashCost } from '../../../src/access/device-password.ts';
import { AlertStore } from '../../../src/alerts/alert-store.ts';
import { EnergyHistory } from '../../../src/energy/energy-history.ts';
import { HourStore } from '../../../src/energy/hours/hour-store.ts';
import { energyCosts } from '../../../src/energy/tariffs/energy-costs.ts';
import { TariffStore } from '../../../src/energy/tariffs/tariff-store.ts';
import { History } from '../../../src/history/history.ts';
import { type DeviceApi, startDeviceApi } from '../../../src/serve/api/device-api.ts';
import type { PageOperations } from '../../../src/serve/api/pages/page-operations.ts';
import type { ServerLimits } from '../../../src/serve/api/server-limits.ts';
import type { SiteCalendar } from '../../../src/serve/mcp/site-sources.ts';
import { AuditLog } from '../../../src/storage/audit-log.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { FollowedWrites } from '../../../src/storage/followed-writes.ts';
import { KeyValueStore } from '../../../src/storage/key-value.ts';
import { StoreLosses } from '../../../src/storage/salvage/store-loss.ts';
import { WriteLog } from '../../../src/storage/write-log.ts';
import { housePlant, type Plant, RecordingWriter } from './plant.ts';
import { testAlerting } from './test-alerting.ts';
import { testMonitoring } from './test-monitoring.ts';

export const PASSWORD = 'correct horse: battery';

/** Argon2's least. */
const NO_HASH_COST: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Until when readings are expected to settle a write that is pending. */
export const SETTLES_BY = '2026-06-01T12:10:10Z';

export interface TestDevice {
  readonly api: DeviceApi;
  readonly access: Access;
  readonly store: KeyValueStore;
  readonly plant: Plant;
  readonly settings: RecordingWriter;
  readonly writes: WriteLog;
  readonly audit: Audit;
  readonly auditLog: AuditLog;
  readonly history: History;
  readonly hours: HourStore;
  readonly energy: EnergyHistory;
  readonly tariffs: TariffStore;
  readonly alerting: ReturnType<typeof testAlerting>;
  /** Asks the API on the LAN, with the password unless another `authorization` is given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The access after a restart on the same store. */
  accessAnew(): Access;
  stop(): Promise<void>;
}

export interface TestDeviceOptions {
  readonly uid?: string;
  readonly plant?: Plant;
  readonly password?: string | null;
  readonly cloudUrl?: string;
  readonly clock?: Clock;
  readonly calendar?: SiteCalendar;
  /** Rules of the configuration file. */
  readonly alertRules?: readonly AlertRuleEntry[];
  readonly pages?: PageOperations;
  readonly limits?: ServerLimits;
  /** Addresses that may read the metrics without the password; by default this machine. */
  readonly metricsFrom?: readonly string[];
  readonly logger?: Logger;
}

/** The device's API on a free port, with a real store in a folder of its own. */
export async function startTestDevice(options: TestDeviceOptions = {}): Promise<TestDevice> {
  const { plant = housePlant(), password = PASSWORD, clock = systemClock, logger = silentLogger } = options;
  const { calendar = { timeZone: 'Europe/Berlin', energyPeriod: 'daily' } } = options;
  const { store, writes, auditLog, hours, alerts, folder, remove } = temporaryStore();
  const audit = new Audit({ log: auditLog, clock, logger });
  const watch = new SignInTrace(audit, clock);
  const { cloudUrl } = options;
  const accessAnew = () => createAccess({ store, cloudUrl, watch, hashCost: NO_HASH_COST, clock, logger });
  const access = accessAnew();
  if (password !== null) await access.password.setIfNone(password);
  const settings = new RecordingWriter(plant);
  const history = new History({ folder, maxSizeMb: 100, pollIntervalMs: 2_000, clock, logger });
  history.start(plant.snapshots);
  const tariffs = new TariffStore({ store, zone: calendar.timeZone, clock });
  const energy = new EnergyHistory({
    store: hours,
    recent: () => new Map(),
    zone: calendar.timeZone,
    clock,
    costs: (counted) => energyCosts(counted, tariffs.tariffs, calendar.timeZone, clock.now()),
  });
  const alerting = testAlerting({
    store,
    alerts,
    snapshots: plant.snapshots,
    clock,
    logger,
    configured: options.alertRules,
    hours: (fromMs, toMs) => energy.hours(fromMs, toMs),
  });
  const api = await startDeviceApi({
    host: EVERY_ADDRESS,
    losses: new StoreLosses(store, 0),
    port: 0,
    uid: options.uid ?? 'abcdefghijklmnopqrst',
    access,
    snapshots: plant.snapshots,
    settings,
    writes: new FollowedWrites(writes, { settlesBy: () => SETTLES_BY }),
    audit,
    auditLog,
    history,
    energy,
    tariffs,
    alerting,
    calendar,
    energyToday: () => new Map(),
    monitoring: testMonitoring(plant.snapshots, logger, options.metricsFrom),
    pages: options.pages,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    clock,
    logger,
  });
  return {
    api,
    access,
    store,
    plant,
    settings,
    writes,
    audit,
    auditLog,
    history,
    hours,
    energy,
    tariffs,
    alerting,
    accessAnew,
    fetch: (path, init = {}) =>
      fetch(`${api.url}${path}`, {
        ...init,
        headers: { authorization: basic(password ?? '', 'admin'), ...init.headers },
      }),
    async stop() {
      await api.stop();
      alerting.watch.stop();
      history[Symbol.dispose]();
      remove();
    },
  };
}

/** A database in a folder of its own, and what removes it. */
export function temporaryStore(): {
  readonly store: KeyValueStore;
  readonly writes: WriteLog;
  readonly auditLog: AuditLog;
  readonly hours: HourStore;
  readonly alerts: AlertStore;
  readonly folder: string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-'));
  const db = openDatabase(folder);
  return {
    store: new KeyValueStore(db),
    writes: new WriteLog(db),
    auditLog: new AuditLog(db),
    hours: new HourStore(db),
    alerts: new AlertStore(db),
    folder,
    remove: () => {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function basic(password: string, user: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
