import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../../storage/key-value.ts';
import type { ValueSchema } from '../../storage/stored-json.ts';
import type { UnitKey } from '../units/unit-key.ts';

/** A unit, and its lifetime counters that were above zero. */
interface SeenUnit {
  readonly unit: string;
  /** Null for a unit that reports none. */
  readonly serialNumber: string | null;
  /** Names of quantities. */
  readonly counters: readonly string[];
}

const SEEN = Compile(
  Type.Array(
    Type.Object({
      unit: Type.String(),
      serialNumber: Type.Union([Type.String(), Type.Null()]),
      counters: Type.Array(Type.String()),
    }),
  ),
);

const STORED: ValueSchema<readonly SeenUnit[]> = {
  Check: (value): value is readonly SeenUnit[] => SEEN.Check(value),
};

/**
 * The lifetime counters of one connection's units that were above zero. They are remembered across restarts: the device may
 * start while an inverter boots, and such an inverter reports zeros.
 */
export class SeenCounters {
  readonly #store: Pick<KeyValueStore, 'json' | 'set'> | undefined;
  readonly #key: string;
  readonly #units: Map<string, SeenUnit>;

  /** @param store nothing is remembered across restarts when left out */
  constructor(store?: Pick<KeyValueStore, 'json' | 'set'>, url = '') {
    this.#store = store;
    this.#key = `counters ${url}`;
    const seen = store?.json(this.#key, STORED, []) ?? [];
    this.#units = new Map(seen.map((one) => [one.unit, one]));
  }

  /**
   * Takes the serial number of a unit; null keeps the one that was known. Nothing is known of the counters of another unit.
   *
   * @returns whether it is another unit than before
   */
  identify(key: UnitKey, serialNumber: string | null): boolean {
    const before = this.#units.get(key);
    if (serialNumber === null || before?.serialNumber === serialNumber) return false;
    const isAnother = before !== undefined && before.serialNumber !== null;
    this.#update({ unit: key, serialNumber, counters: isAnother ? [] : (before?.counters ?? []) });
    return isAnother;
  }

  /** Whether the serial number of the unit is known. */
  isIdentified(key: UnitKey): boolean {
    return (this.#units.get(key)?.serialNumber ?? null) !== null;
  }

  has(key: UnitKey, name: string): boolean {
    return this.#units.get(key)?.counters.includes(name) ?? false;
  }

  add(key: UnitKey, name: string): void {
    if (this.has(key, name)) return;
    const { serialNumber = null, counters = [] } = this.#units.get(key) ?? {};
    this.#update({ unit: key, serialNumber, counters: [...counters, name] });
  }

  delete(key: UnitKey, name: string): void {
    const unit = this.#units.get(key);
    if (unit === undefined || !unit.counters.includes(name)) return;
    this.#update({ ...unit, counters: unit.counters.filter((counter) => counter !== name) });
  }

  #update(unit: SeenUnit): void {
    this.#units.set(unit.unit, unit);
    try {
      this.#store?.set(this.#key, JSON.stringify([...this.#units.values()]));
    } catch {
      // Readings go on while the disk is full, which is reported elsewhere; the next change stores this one, too.
    }
  }
}
