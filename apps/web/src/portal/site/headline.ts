import type { Metric, SiteNewestValues } from '@heliograph/client';

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

export function headlineOf(metrics: readonly Pick<Metric, 'topic' | 'value'>[]): Headline {
  return Object.fromEntries(
    metrics.flatMap(({ topic, value }) => {
      const name = TOPICS.get(topic);
      return name === undefined ? [] : [[name, typeof value === 'number' ? value : null]];
    }),
  );
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
