import type { status } from '@heliograph/mcp';
import type { Static } from 'typebox';
import { periodStart } from '../energy/period.ts';
import { countedEnergy, sumKwh } from './counted-energy.ts';
import type { SiteSources } from './site-sources.ts';
import type { SnapshotValues } from './snapshot-values.ts';
import { readTopicHistory } from './topic-history.ts';
import type { FormatTime } from './unit-status.ts';

type Energy = Static<typeof status.output>['energy'];
type Counted = Omit<Energy['today'], 'since'>;

const TOPICS = {
  pv_kwh: 'total/pv_energy',
  load_kwh: 'total/load_energy',
  battery_in_kwh: 'total/battery_energy_in',
  battery_out_kwh: 'total/battery_energy_out',
  grid_in_kwh: 'total/grid_energy_in',
  grid_out_kwh: 'total/grid_energy_out',
} satisfies Record<keyof Counted, string>;

const STEP_MS = 5 * 60_000;

/**
 * The energy of the current period as its counters have it, and that of today. Where the period is a day they are the
 * same, otherwise today's share of the counters comes from the history. Neither began before the device was there:
 * its first day is not a whole one.
 */
export async function energyStatus(
  values: SnapshotValues,
  {
    history,
    clock,
    calendar,
  }: Pick<SiteSources, 'clock' | 'calendar'> & {
    readonly history: Pick<SiteSources['history'], 'read' | 'since'>;
  },
  formatTime: FormatTime,
): Promise<Energy> {
  const { timeZone, energyPeriod: name } = calendar;
  const nowMs = clock.now();
  const recordedMs = history.since() ?? 0;
  const since = formatTime(Math.max(recordedMs, periodStart(nowMs, timeZone, name)));
  const counted = await energies(async (topic) => values.number(topic));
  const period = { name, since, ...counted };
  if (name === 'daily') return { today: { since, ...counted }, period };

  const midnightMs = periodStart(nowMs, timeZone, 'daily');
  const today = await energies(async (topic) => {
    if (!values.has(topic) || midnightMs >= nowMs) return null;
    const topicHistory = await readTopicHistory(history, topic, { fromMs: midnightMs, toMs: nowMs }, STEP_MS);
    return topicHistory === undefined || topicHistory.steps.length === 0
      ? null
      : sumKwh(countedEnergy(topicHistory.steps, topicHistory.before));
  });
  return { today: { since: formatTime(Math.max(recordedMs, midnightMs)), ...today }, period };
}

async function energies(of: (topic: string) => Promise<number | null>): Promise<Counted> {
  const names = Object.keys(TOPICS) as (keyof Counted)[];
  const entries = await Promise.all(names.map(async (name) => [name, await of(TOPICS[name])] as const));
  return Object.fromEntries(entries) as Counted;
}
