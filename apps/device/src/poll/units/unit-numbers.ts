import { UNIT_KINDS, type UnitKind } from '@heliograph/metrics';
import type { Unit } from '../../drivers/driver.ts';

/** A unit and its 0-based number among all of its kind: number 0 of the inverters has topics `inverter_1/...`. */
export interface NumberedUnit extends Unit {
  readonly number: number;
}

/**
 * Numbers the units that were found on one connection. A unit keeps the number it once got, since people and
 * their automations write to `inverter_2`; a new one gets the lowest number that no other unit has, behind those that are
 * kept back.
 *
 * @param found what was found now
 * @param before what was known of this connection, numbered
 * @param others what is known of the other connections
 * @param keptBack how many numbers of each kind are kept back for connections that were not opened yet
 */
export function numberUnits(
  found: readonly Unit[],
  before: readonly NumberedUnit[],
  others: readonly NumberedUnit[],
  keptBack: ReadonlyMap<UnitKind, number> = new Map(),
): readonly NumberedUnit[] {
  const kept = new Map(UNIT_KINDS.map((kind) => [kind, numbersOf(kind, before)]));
  const taken = new Set([...before, ...others].map(({ kind, number }) => `${kind} ${number}`));
  for (const [kind, count] of keptBack) for (let n = 0; n < count; n++) lowestFree(kind, taken);
  return found.map((unit) => ({
    ...unit,
    number: kept.get(unit.kind)?.shift() ?? lowestFree(unit.kind, taken),
  }));
}

function numbersOf(kind: UnitKind, units: readonly NumberedUnit[]): number[] {
  return units.filter((unit) => unit.kind === kind).map(({ number }) => number);
}

/** Takes it. */
function lowestFree(kind: UnitKind, taken: Set<string>): number {
  let number = 0;
  while (taken.has(`${kind} ${number}`)) number++;
  taken.add(`${kind} ${number}`);
  return number;
}
