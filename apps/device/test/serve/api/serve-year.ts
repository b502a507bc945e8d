import { silentLogger, systemClock } from '@heliograph/kit';
import { createAccess } from '../../../src/access/access.ts';
import { Audit } from '../../../src/access/audit/audit.ts';
import { AlertStore } from '../../../src/alerts/alert-store.ts';
import { EnergyHistory } from '../../../src/energy/energy-history.ts';
import { HourStore } from '../../../src/energy/hours/hour-store.ts';
import { TariffStore } from '../../../src/energy/tariffs/tariff-store.ts';
import { History } from '../../../src/history/history.ts';
import { startDeviceApi } from '../../../src/serve/api/device-api.ts';
import { AuditLog } from '../../../src/storage/audit-log.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { FollowedWrites } from '../../../src/storage/followed-writes.ts';
import { KeyValueStore } from '../../../src/storage/key-value.ts';
import { StoreLosses } from '../../../src/storage/salvage/store-loss.ts';
import { WriteLog } from '../../../src/storage/write-log.ts';
import { fillYear } from '../../history/filled-year.ts';
import { Plant, RecordingWriter } from './plant.ts';
import { testAlerting } from './test-alerting.ts';
import { basic, PASSWORD } from './test-device.ts';
import { testMonitoring } from './test-monitoring.ts';

/**
 * Fills a folder with a year of history and serves it as a device does; a benchmark's program. Prints its URL,
 * the `authorization`, the amount filled and how long that took.
 */
const [folder = '', daysOfReadings = '3'] = process.argv.slice(2);
const clock = systemClock;
const logger = silentLogger;
const db = openDatabase(folder);
const began = performance.now();
// A whole hour, so that a day of readings is one.
const filled = fillYear(folder, Math.floor(clock.now() / 3_600_000) * 3_600_000, Number(daysOfReadings));
const fillMs = performance.now() - began;

const store = new KeyValueStore(db);
const access = createAccess({ store, cloudUrl: undefined, clock, logger });
await access.password.setIfNone(PASSWORD);
const history = new History({ folder, maxSizeMb: 500, pollIntervalMs: 2_000, clock, logger });
const auditLog = new AuditLog(db);
const plant = new Plant();
history.start(plant.snapshots);
const settings = new RecordingWriter(plant);
const api = await startDeviceApi({
  losses: new StoreLosses(store, 0),
  host: '127.0.0.1',
  port: 0,
  uid: 'year',
  access,
  snapshots: plant.snapshots,
  settings,
  writes: new FollowedWrites(new WriteLog(db), { settlesBy: () => null }),
  audit: new Audit({ log: auditLog, clock, logger }),
  auditLog,
  history,
  energy: new EnergyHistory({ store: new HourStore(db), recent: () => new Map(), zone: 'UTC', clock }),
  tariffs: new TariffStore({ store, zone: 'UTC', clock }),
  alerting: testAlerting({ store, alerts: new AlertStore(db), snapshots: plant.snapshots, clock, logger }),
  calendar: { timeZone: 'UTC', energyPeriod: 'daily' },
  energyToday: () => new Map(),
  monitoring: testMonitoring(plant.snapshots, logger),
  clock,
  logger,
});
process.send?.({ url: api.url, authorization: basic(PASSWORD, 'admin'), filled, fillMs });
process.once('disconnect', () => process.kill(process.pid));
