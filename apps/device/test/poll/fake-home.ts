import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Backoff, type Clock, ManualClock, silentLogger, testMoment } from '@heliograph/kit';
import { TrafficCounter } from '../../src/bus/bus.ts';
import { EnergyMeter } from '../../src/energy/energy-meter.ts';
import { EnergyStore } from '../../src/energy/energy-store.ts';
import { Collector } from '../../src/poll/collector.ts';
import { ConnectionPoller, type ConnectionPollerOptions } from '../../src/poll/links/connection-poller.ts';
import { type Sample, SnapshotPublisher } from '../../src/poll/snapshot.ts';
import { SystemMetrics } from '../../src/poll/system-metrics.ts';
import { UnknownTotals } from '../../src/poll/totals/unknown-totals.ts';
import { KnownUnits } from '../../src/poll/units/known-units.ts';
import { SameHardware } from '../../src/poll/units/same-hardware.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { KeyValueStore } from '../../src/storage/key-value.ts';
import { WriteLog } from '../../src/storage/write-log.ts';

/** How often a fake home is polled, in real milliseconds; its clock moves only when a test moves it. */
export const INTERVAL_MS = 20;

/** A function that opens a configured connection, and the role of a meter there. */
export type FakeConnection =
  | ConnectionPollerOptions['open']
  | Required<Pick<ConnectionPollerOptions, 'open' | 'role'>>;

/** A device without network and with fake hardware: real pollers, energy and storage, and a clock in hand. */
export class FakeHome {
  readonly clock = new ManualClock(testMoment('2026-07-15T12:00:00Z'));
  readonly snapshots = new SnapshotPublisher();
  readonly folder: string;
  readonly collector: Collector;
  readonly log: WriteLog;
  readonly store: KeyValueStore;
  readonly db: ReturnType<typeof openDatabase>;

  /**
   * @param folder the data folder of a home that was there before
   */
  constructor(connections: readonly FakeConnection[], folder?: string) {
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'device-home-'));
    this.db = openDatabase(this.folder);
    const { db } = this;
    this.log = new WriteLog(db);
    this.store = new KeyValueStore(db);
    const clock: Clock = this.clock;
    const shared = { clock, intervalMs: INTERVAL_MS, logger: silentLogger };
    const pollers = connections.map((connection, index) => {
      const { open, role } = 'open' in connection ? connection : { open: connection, role: undefined };
      const backoff = new Backoff({ minMs: 2, maxMs: 10 });
      return new ConnectionPoller({
        ...shared,
        traffic: new TrafficCounter(),
        url: `connection ${index + 1}`,
        open,
        role,
        backoff,
      });
    });
    this.collector = new Collector({
      ...shared,
      pollers,
      units: new KnownUnits(this.store, pollers),
      sameHardware: new SameHardware(silentLogger),
      unknownTotals: new UnknownTotals(silentLogger, clock),
      energy: new EnergyMeter({ ...shared, store: new EnergyStore(db), zone: 'UTC', period: 'daily' }),
      system: new SystemMetrics({
        clock,
        dataFolder: this.folder,
        siteId: () => 7,
        softwareVersion: '2026-07-15',
        history: () => 'Recording',
      }),
      publisher: this.snapshots,
    });
  }

  start(): this {
    this.collector.start();
    return this;
  }

  sample(topic: string): Sample | undefined {
    return this.snapshots.current.samples.get(topic);
  }

  value(topic: string): Sample['value'] | undefined {
    return this.sample(topic)?.value;
  }

  /** @param keep leaves the data folder for a home after this one */
  async stop({ keep = false } = {}): Promise<void> {
    await this.collector.stop();
    this.db.close();
    if (!keep) rmSync(this.folder, { recursive: true });
  }
}
