import type { Unit } from '../drivers/driver.ts';

/** Names a unit within its connection, such as `batteries 0`: the n-th of its kind. */
export type UnitKey = `${Unit['kind']} ${number}`;

/** The keys of a connection's units, in the same order. */
export function unitKeys(units: readonly Pick<Unit, 'kind'>[]): readonly UnitKey[] {
  const counts = { inverters: 0, batteries: 0 };
  return units.map(({ kind }) => `${kind} ${counts[kind]++}` as const);
}
