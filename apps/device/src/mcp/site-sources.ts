import type { Clock } from '@heliograph/kit';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { EnergyHistory } from '../energy/energy-history.ts';
import type { Totals } from '../energy/energy-meter.ts';
import type { EnergyPeriod } from '../energy/period.ts';
import type { HistorySource } from '../history/history.ts';
import type { SnapshotSource } from '../poll/snapshot.ts';
import type { WriteLog } from '../storage/write-log.ts';

/** The time zone and the energy period of the site. */
export interface SiteCalendar {
  /** IANA name, such as `Europe/Berlin`: where a day begins. */
  readonly timeZone: string;
  /** How often the energy counters restart. */
  readonly energyPeriod: EnergyPeriod;
}

/** Sources of the tools, the same as of the REST API, so that both answer the same. */
export interface SiteSources {
  readonly snapshots: SnapshotSource;
  readonly history: HistorySource;
  readonly clock: Clock;
  readonly calendar: SiteCalendar;
  readonly alerts: Pick<AlertStore, 'recent'>;
  readonly writes: Pick<WriteLog, 'recent'>;
  readonly energy: Pick<EnergyHistory, 'readCompared'>;
  /** The energy of the current day, whatever the period of the counters. */
  readonly energyToday: () => Totals;
  /** When the device began to serve, by the monotonic clock: the wall clock may have been set since. */
  readonly startedAtMonotonicMs: number;
}
