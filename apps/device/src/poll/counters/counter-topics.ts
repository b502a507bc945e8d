import { ENERGY_COUNTERS, type EnergyCounterName } from '@heliograph/contracts';
import { topicOf, type UnitKind } from '@heliograph/metrics';
import { TOTAL_RULES } from '../totals/total-rules.ts';
import { partsOf, type UnitValues } from '../totals/totals.ts';

/** The topics of lifetime counters that together count an energy of the home. */
export type CounterTopics = ReadonlyMap<EnergyCounterName, readonly string[]>;

/**
 * The total whose energy it is, and the counters of units of each kind that measure it, of which a unit has one. `Import energy` of a
 * meter rises while its `Power` is positive, whatever its role.
 */
const COUNTERS: Readonly<
  Record<
    EnergyCounterName,
    { readonly power: string; readonly names: Partial<Record<UnitKind, readonly string[]>> }
  >
> = {
  pv: {
    power: 'PV power',
    names: { inverters: ['Total PV energy'], chargers: ['Total PV energy'], meters: ['Import energy'] },
  },
  load: { power: 'Load power', names: { inverters: ['Total load energy'], meters: ['Import energy'] } },
  battery_in: {
    power: 'Battery power',
    names: {
      inverters: ['Total battery charge'],
      batteries: ['Total energy in'],
      meters: ['Import energy'],
    },
  },
  battery_out: {
    power: 'Battery power',
    names: {
      inverters: ['Total battery discharge'],
      batteries: ['Total energy out'],
      meters: ['Export energy'],
    },
  },
  grid_in: {
    power: 'Grid power',
    names: { inverters: ['Total grid import', 'Total grid energy in'], meters: ['Import energy'] },
  },
  grid_out: {
    power: 'Grid power',
    names: { inverters: ['Total grid export', 'Total grid energy out'], meters: ['Export energy'] },
  },
};

interface CountingUnit extends UnitValues {
  /** 0-based; undefined for a meter that was never found. */
  readonly number?: number;
}

/**
 * The counters of the units that make each total. An energy is absent where one of these units has no counter, since the
 * others count a part of it alone, and that of the grid where a generator counts as grid.
 */
export function counterTopics(units: readonly CountingUnit[]): CounterTopics {
  const topics = new Map<EnergyCounterName, readonly string[]>();
  const hasGenerator = partsOf(units, sourcesOf('Generator power')).length > 0;
  for (const counter of ENERGY_COUNTERS) {
    const { power, names } = COUNTERS[counter];
    if (power === 'Grid power' && hasGenerator) continue;
    const counting = partsOf(units, sourcesOf(power)).map(({ unit }) => {
      const name = names[unit.kind]?.find((candidate) => unit.values.has(candidate));
      return name === undefined ? undefined : topicOf(unit.kind, unit.number ?? null, name);
    });
    const known = counting.filter((topic) => topic !== undefined);
    if (known.length > 0 && known.length === counting.length) topics.set(counter, [...new Set(known)]);
  }
  return topics;
}

function sourcesOf(power: string) {
  return TOTAL_RULES.find(({ quantity }) => quantity.name === power)?.sources ?? [];
}
