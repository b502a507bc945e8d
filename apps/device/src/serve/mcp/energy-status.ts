import type { status } from '@heliograph/mcp';
import { defineMetric, quantities } from '@heliograph/metrics';
import type { Static } from 'typebox';
import { type EnergyPeriod, periodStart } from '../../energy/period.ts';
import { roundKwh } from './counted-energy.ts';
import type { SiteSources } from './site-sources.ts';
import type { SnapshotValues } from './snapshot-values.ts';
import type { FormatTime } from './unit-status.ts';

type Energy = Static<typeof status.output>['energy'];
type Counted = Omit<Energy['today'], 'since'>;

const COUNTERS = {
  pv_kwh: 'PV energy',
  load_kwh: 'Load energy',
  battery_in_kwh: 'Battery energy in',
  battery_out_kwh: 'Battery energy out',
  grid_in_kwh: 'Grid energy in',
  grid_out_kwh: 'Grid energy out',
} satisfies Record<keyof Counted, string>;

/**
 * The energy of the current period and that of today. Neither began before the device was there: its first day is not a
 * whole one.
 */
export function energyStatus(
  values: SnapshotValues,
  {
    history,
    clock,
    calendar,
    energyToday,
  }: Pick<SiteSources, 'clock' | 'calendar' | 'energyToday'> & {
    readonly history: Pick<SiteSources['history'], 'since'>;
  },
  formatTime: FormatTime,
): Energy {
  const { timeZone, energyPeriod: name } = calendar;
  const nowMs = clock.now();
  const since = (period: EnergyPeriod) =>
    formatTime(Math.max(history.since() ?? 0, periodStart(nowMs, timeZone, period)));
  const period = { since: since(name), ...energies((counter) => values.number(topicOf(counter))) };
  if (name === 'daily') return { today: period, period: { name, ...period } };
  const today = energyToday();
  return {
    today: { since: since('daily'), ...energies((counter) => rounded(today.get(counter))) },
    period: { name, ...period },
  };
}

function topicOf(counter: string): string {
  return defineMetric('totals', null, quantities.periodEnergy(counter)).topic;
}

function rounded(kwh: number | null | undefined): number | null {
  return typeof kwh === 'number' ? roundKwh(kwh) : null;
}

function energies(of: (counter: string) => number | null): Counted {
  const entries = Object.entries(COUNTERS).map(([field, counter]) => [field, of(counter)] as const);
  return Object.fromEntries(entries) as Counted;
}
