import type { UnitKind } from '@heliograph/metrics';
import type { Unit } from '../../drivers/driver.ts';

/** Names a unit within its connection, such as `batteries 0`: the n-th of its kind. */
export type UnitKey = `${UnitKind} ${number}`;

/** The keys of a connection's units, in the same order. */
export function unitKeys(units: readonly Pick<Unit, 'kind'>[]): readonly UnitKey[] {
  const counts = new Map<UnitKind, number>();
  return units.map(({ kind }) => {
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return `${kind} ${count}` as const;
  });
}
