import type { Metric } from '@heliograph/client';

/**
 * The few values that say how a site does. Powers in W with the signs of everywhere: into the battery and from the grid
 * are positive. Null is unknown; what a site does not have is not there.
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

/** Below this many W nothing flows that anybody would call a direction. */
const STILL_W = 10;

/** Which way a power flows: `in` into the battery or from the grid. */
export function directionOf(power: number | null): 'in' | 'out' | 'still' {
  if (power === null || Math.abs(power) < STILL_W) return 'still';
  return power > 0 ? 'in' : 'out';
}
