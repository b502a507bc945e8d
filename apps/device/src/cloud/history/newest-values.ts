import type { SiteNewestValues } from '@heliograph/contracts';
import { DAY_MS, localDay } from '@heliograph/kit/local-time';
import type { Totals } from '../../energy/energy-meter.ts';
import type { Snapshot } from '../../poll/snapshot.ts';

/** The values of a snapshot that lists of sites show; null while hardware does not answer: those of before are more. @param today energy since midnight, by the names of counters */
export function newestValues(
  { samples }: Pick<Snapshot, 'samples'>,
  today: Totals,
  nowMs: number,
  zone: string,
): SiteNewestValues | null {
  const number = (topic: string): number | null => {
    const value = samples.get(topic)?.value;
    return typeof value === 'number' ? value : null;
  };
  const values = {
    pv_power: number('total/pv_power'),
    load_power: number('total/load_power'),
    grid_power: number('total/grid_power'),
    battery_power: number('total/battery_power'),
    state_of_charge: number('total/battery_state_of_charge'),
  };
  if (Object.values(values).every((value) => value === null)) return null;
  return {
    at: new Date(nowMs).toISOString(),
    date: new Date(localDay(nowMs, zone) * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
    ...values,
    pv: today.get('PV energy') ?? null,
    load: today.get('Load energy') ?? null,
    battery_in: today.get('Battery energy in') ?? null,
    battery_out: today.get('Battery energy out') ?? null,
    grid_in: today.get('Grid energy in') ?? null,
    grid_out: today.get('Grid energy out') ?? null,
  };
}
