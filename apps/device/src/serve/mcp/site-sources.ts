import type { WriteOutcome, WriteReason } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import type { AlertStore } from '../../alerts/alert-store.ts';
import type { EnergyHistory } from '../../energy/energy-history.ts';
import type { Totals } from '../../energy/energy-meter.ts';
import type { EnergyPeriod } from '../../energy/period.ts';
import type { HistorySource } from '../../history/history.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';

/** The time zone and the energy period of the site. */
export interface SiteCalendar {
  /** IANA name, such as `Europe/Berlin`: where a day begins. */
  readonly timeZone: string;
  /** How often the energy counters restart. */
  readonly energyPeriod: EnergyPeriod;
}

/** An attempt to change a setting, as the device's log has it. */
export interface LoggedWrite {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly topic: string;
  readonly newValue: string;
  readonly outcome: WriteOutcome;
  readonly reason: WriteReason | null;
  /** Whether later readings may still correct the outcome. */
  readonly isOpen: boolean;
  /** Until when readings are expected to do so, ISO 8601; null when none is awaited. */
  readonly settlesBy: string | null;
}

/** Sources of the tools, the same as of the REST API, so that both answer the same. */
export interface SiteSources {
  readonly snapshots: SnapshotSource;
  readonly history: HistorySource;
  readonly clock: Clock;
  readonly calendar: SiteCalendar;
  readonly alerts: Pick<AlertStore, 'recent'>;
  readonly writes: { recent(limit: number): readonly LoggedWrite[] };
  readonly energy: Pick<EnergyHistory, 'readCompared'>;
  /** The energy of the current day, whatever the period of the counters. */
  readonly energyToday: () => Totals;
  /** When the device began to serve, by the monotonic clock: the wall clock may have been set since. */
  readonly startedAtMonotonicMs: number;
}
