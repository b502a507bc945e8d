import type { Clock, Logger } from '@heliograph/kit';
import type { NamedMeasured } from './measured.ts';
import { TOTAL_RULES, type TotalRule } from './total-rules.ts';
import { partsOf, type UnitValues } from './totals.ts';

/** How long a unit makes totals unknown before that is logged, in milliseconds: a restart is no news. */
const LOGGED_AFTER_MS = 60_000;

export interface CountedUnit extends UnitValues {
  /** Its prefix, such as `inverter_1`; of a meter that was never found the URL of its connection. */
  readonly source: string;
}

interface Cause {
  /** Topics of the totals. */
  readonly totals: readonly string[];
  readonly sinceMs: number;
  readonly isLogged: boolean;
}

/** The units by which totals are unknown, since their own part of them is. */
export class UnknownTotals {
  readonly #logger: Logger;
  readonly #clock: Clock;
  /** By the unit's source. */
  #causes: ReadonlyMap<string, Cause> = new Map();

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** @param units those that count in the totals */
  update(units: readonly CountedUnit[], totals: readonly NamedMeasured[]): void {
    const byUnit = new Map<string, string[]>();
    for (const { definition, value } of totals) {
      if (value !== null) continue;
      const parts = rulesOf(definition.name, totals).flatMap((rule) => unknownParts(units, rule));
      for (const unit of new Set(parts.map(({ source }) => source))) {
        byUnit.set(unit, [...(byUnit.get(unit) ?? []), definition.topic]);
      }
    }
    const before = this.#causes;
    this.#causes = new Map([...byUnit].map(([unit, topics]) => [unit, this.#cause(unit, topics)]));
    for (const [unit, { isLogged }] of before) {
      if (isLogged && !byUnit.has(unit))
        this.#logger.info({ unit }, 'no total is unknown because of this unit');
    }
  }

  /** Topics of the totals that are unknown because of a unit. @param unit its source */
  of(unit: string): readonly string[] {
    return this.#causes.get(unit)?.totals ?? [];
  }

  #cause(unit: string, totals: readonly string[]): Cause {
    const now = this.#clock.monotonic();
    const { sinceMs, isLogged } = this.#causes.get(unit) ?? { sinceMs: now, isLogged: false };
    const isDue = !isLogged && now - sinceMs >= LOGGED_AFTER_MS;
    if (isDue) this.#logger.warn({ unit, totals }, 'totals are unknown because of this unit');
    return { totals, sinceMs, isLogged: isLogged || isDue };
  }
}

/** The grid's power includes that of generators. */
const GRID = ['Grid power', 'Generator power'];
const BALANCED = ['PV power', ...GRID, 'Battery power'];

/** The rules of a total; where PV and grid are measured, the load is what the balance leaves of these. */
function rulesOf(name: string, totals: readonly NamedMeasured[]): readonly TotalRule[] {
  const isThere = (total: string): boolean => totals.some(({ definition }) => definition.name === total);
  const isBalanced = name === 'Load power' && isThere('PV power') && isThere('Grid power');
  const names = isBalanced ? BALANCED : name === 'Grid power' ? GRID : [name];
  return TOTAL_RULES.filter(({ quantity }) => names.includes(quantity.name));
}

/** The units that have a part of a total, and do not know it. */
function unknownParts(units: readonly CountedUnit[], { sources }: TotalRule): readonly CountedUnit[] {
  return partsOf(units, sources).flatMap(({ unit, measured }) =>
    typeof measured.value === 'number' ? [] : [unit],
  );
}
