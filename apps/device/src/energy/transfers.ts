/** Energy that one part of the home gave to another; the load is what the house used. */
export const TRANSFERS = [
  'pv_to_load',
  'pv_to_battery',
  'pv_to_grid',
  'battery_to_load',
  'battery_to_grid',
  'grid_to_load',
  'grid_to_battery',
] as const;
export type Transfer = (typeof TRANSFERS)[number];

/** Amounts of the counters in one short time, in one unit, each at least 0; undefined where unknown. */
export interface CountedFlows {
  readonly pv?: number | undefined;
  readonly load?: number | undefined;
  readonly battery_in?: number | undefined;
  readonly battery_out?: number | undefined;
  readonly grid_in?: number | undefined;
  readonly grid_out?: number | undefined;
}

/**
 * Divides energy among its ways, as meters of self-consumption do: the sun serves the house first, then the battery, then
 * the grid; the battery serves the house before the grid; the grid gives what is missing. Both ends of a way are known, or
 * it is left out.
 */
export function transfersOf(counted: CountedFlows): Partial<Record<Transfer, number>> {
  const left = {
    pv: counted.pv ?? 0,
    load: counted.load ?? 0,
    battery_in: counted.battery_in ?? 0,
    battery_out: counted.battery_out ?? 0,
    grid_in: counted.grid_in ?? 0,
    grid_out: counted.grid_out ?? 0,
  };
  const transfers: Partial<Record<Transfer, number>> = {};
  for (const [transfer, from, to] of ORDER) {
    if (counted[from] === undefined || counted[to] === undefined) continue;
    const amount = Math.min(left[from], left[to]);
    left[from] -= amount;
    left[to] -= amount;
    transfers[transfer] = amount;
  }
  return transfers;
}

const ORDER = [
  ['pv_to_load', 'pv', 'load'],
  ['pv_to_battery', 'pv', 'battery_in'],
  ['pv_to_grid', 'pv', 'grid_out'],
  ['battery_to_load', 'battery_out', 'load'],
  ['battery_to_grid', 'battery_out', 'grid_out'],
  ['grid_to_load', 'grid_in', 'load'],
  ['grid_to_battery', 'grid_in', 'battery_in'],
] as const satisfies readonly (readonly [Transfer, keyof CountedFlows, keyof CountedFlows])[];
