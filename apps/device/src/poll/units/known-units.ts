import {
  defineMetric,
  type MetricDefinition,
  type Quantity,
  UNIT_KINDS,
  type UnitKind,
} from '@heliograph/metrics';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Unit } from '../../drivers/driver.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import type { ValueSchema } from '../../storage/stored-json.ts';
import { type UnitKey, unitKeys } from './unit-key.ts';
import { type NumberedUnit, numberUnits } from './unit-numbers.ts';

/** A unit as the rest of the device knows it. */
export interface KnownUnit {
  readonly key: UnitKey;
  readonly unit: NumberedUnit;
  readonly definitions: readonly MetricDefinition[];
}

/** A rule of another shape would fail where it is used. */
const SETTING = Type.Union([
  Type.Object({
    kind: Type.Literal('number'),
    min: Type.Number(),
    max: Type.Number(),
    step: Type.Number(),
  }),
  Type.Object({
    kind: Type.Literal('select'),
    options: Type.Array(Type.String()),
    synonyms: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  Type.Object({ kind: Type.Literal('switch'), on: Type.String(), off: Type.String() }),
]);

const UNITS = Compile(
  Type.Array(
    Type.Object({
      kind: Type.Enum([...UNIT_KINDS]),
      number: Type.Integer({ minimum: 0 }),
      model: Type.Union([Type.String(), Type.Null()]),
      quantities: Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1 }),
          group: Type.Enum(['Status', 'Settings', 'Info', 'Ignore']),
          unit: Type.String(),
          decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 15 })),
          setting: Type.Optional(SETTING),
        }),
      ),
    }),
  ),
);

const STORED: ValueSchema<readonly NumberedUnit[]> = {
  Check: (value): value is readonly NumberedUnit[] => UNITS.Check(value),
};

/** A configured connection, for the numbers of its units. */
export interface NumberedConnection {
  readonly url: string;
  /** The kinds that all hardware of its driver has a unit of. */
  readonly kinds?: readonly UnitKind[];
}

const storeKey = (url: string): string => `units ${url}`;

/**
 * The units behind each configured connection, remembered across restarts: an inverter that sleeps at night
 * keeps its topics, with nothing in them, and every unit its number, however late its neighbour wakes up.
 */
export class KnownUnits {
  readonly #store: KeyValueStore;
  readonly #connections: readonly NumberedConnection[];
  readonly #byUrl: Map<string, readonly KnownUnit[]>;
  readonly #lastFound = new Map<string, readonly Unit[]>();

  /** @param connections as configured, in their order */
  constructor(store: KeyValueStore, connections: readonly NumberedConnection[]) {
    this.#store = store;
    this.#connections = connections;
    this.#byUrl = new Map(
      connections.map(({ url }) => {
        return [url, known(store.json(storeKey(url), STORED, []))];
      }),
    );
  }

  of(url: string): readonly KnownUnit[] {
    return this.#byUrl.get(url) ?? [];
  }

  all(): readonly KnownUnit[] {
    return [...this.#byUrl.values()].flat();
  }

  /** Takes what a connection found behind it, and stores it when it is not what was known. */
  update(url: string, found: readonly Unit[]): void {
    if (this.#lastFound.get(url) === found) return;
    this.#lastFound.set(url, found);
    const numbered = (units: readonly KnownUnit[]) => units.map(({ unit }) => unit);
    const others = [...this.#byUrl]
      .filter(([other]) => other !== url)
      .flatMap(([, units]) => numbered(units));
    const units = numberUnits(found.map(plain), numbered(this.of(url)), others, this.#keptBackBefore(url));
    const text = JSON.stringify(units);
    if (text === this.#store.get(storeKey(url))) return;
    this.#byUrl.set(url, known(units));
    this.#store.set(storeKey(url), text);
  }

  /** One number of each kind that an earlier connection has for certain, for each that was never opened. */
  #keptBackBefore(url: string): ReadonlyMap<UnitKind, number> {
    const place = this.#connections.findIndex((connection) => connection.url === url);
    const counts = new Map<UnitKind, number>();
    for (const { url: earlier, kinds = [] } of this.#connections.slice(0, Math.max(0, place))) {
      if (this.of(earlier).length > 0) continue;
      for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  }
}

/** Only what makes a unit known: a driver's unit may carry more. Settings that are refused are only shown. */
function plain({ kind, model, quantities, settingsRefusal }: Unit): Unit {
  if (settingsRefusal === undefined) return { kind, model, quantities };
  return { kind, model, quantities: quantities.map((quantity) => refused(quantity, settingsRefusal)) };
}

function refused({ setting, ...quantity }: Quantity, readOnlyReason: string): Quantity {
  return setting === undefined ? quantity : { ...quantity, readOnlyReason };
}

function known(units: readonly NumberedUnit[]): readonly KnownUnit[] {
  const keys = unitKeys(units);
  return units.flatMap((unit, index) => {
    const key = keys[index];
    if (key === undefined) return [];
    const definitions = unit.quantities.map((quantity) => defineMetric(unit.kind, unit.number, quantity));
    return [{ key, unit, definitions }];
  });
}
