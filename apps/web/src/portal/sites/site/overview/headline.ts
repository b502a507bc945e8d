import type { Metric, SiteNewestValues } from '@heliograph/client';

/** The headline of what a device answered. */
export interface ReadHeadline {
  readonly headline: Headline;
  /** When its values were read, as ISO 8601, where some are older than the device takes for true; null: it has read none. */
  readonly oldSince?: string | null;
}

/**
 * The headline values of a site. Powers in W, positive into the battery and from the grid. Null is unknown; a value
 * that the site does not have is absent.
 */
export interface Headline {
  readonly solar?: number | null;
  readonly load?: number | null;
  readonly grid?: number | null;
  readonly battery?: number | null;
  /** In percent. */
  readonly stateOfCharge?: number | null;
}

const TOPICS: ReadonlyMap<string, keyof Headline> = new Map([
  ['total/pv_power', 'solar'],
  ['total/load_power', 'load'],
  ['total/grid_power', 'grid'],
  ['total/battery_power', 'battery'],
  ['total/battery_state_of_charge', 'stateOfCharge'],
]);

type HeadlineMetric = Pick<Metric, 'topic' | 'value'> &
  Partial<Pick<Metric, 'stale' | 'last_value' | 'updated_at'>>;

/** The last reading stands in for a value that is stale. */
export function headlineOf(metrics: readonly HeadlineMetric[]): ReadHeadline {
  const shown = metrics.filter(({ topic }) => TOPICS.has(topic));
  const headline = Object.fromEntries(
    shown.map(({ topic, value, stale = false, last_value: last = null }) => {
      const known = stale ? last : value;
      return [TOPICS.get(topic), typeof known === 'number' ? known : null];
    }),
  );
  const old = shown.filter(({ stale }) => stale);
  if (old.length === 0) return { headline };
  const times = old.flatMap(({ updated_at: at }) => at ?? []).toSorted();
  return { headline, oldSince: times.at(-1) ?? null };
}

/** Of the values that the cloud received last, where the unknown is null like what the site does not have. */
export function headlineOfNewest(newest: SiteNewestValues): Headline {
  const known = {
    solar: newest.pv_power,
    load: newest.load_power,
    grid: newest.grid_power,
    battery: newest.battery_power,
    stateOfCharge: newest.state_of_charge,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
}

/** Powers below this many W have no direction. */
const STILL_W = 10;

/** Which way a power flows: `in` into the battery or from the grid. */
export function directionOf(power: number | null): 'in' | 'out' | 'still' {
  if (power === null || Math.abs(power) < STILL_W) return 'still';
  return power > 0 ? 'in' : 'out';
}
