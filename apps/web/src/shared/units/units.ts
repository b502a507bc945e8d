import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { groupBy } from '@heliograph/kit/group-by';

/** An inverter, battery or other unit of hardware, with the topics of what is shown of it. */
export interface UnitTopics {
  /** The beginning of its topics, such as `battery_2`. */
  readonly prefix: string;
  readonly kind: MetricDefinition['device'];
  /** 0-based. */
  readonly number: number;
  readonly state?: MetricDefinition;
  readonly power?: MetricDefinition;
  readonly stateOfCharge?: MetricDefinition;
  readonly temperature?: MetricDefinition;
}

/** Names of metrics for each figure, the best first: families differ in what their hardware reports. */
const NAMES = {
  state: ['Device mode', 'Charge state', 'Battery state', 'Power mode', 'State', 'Grid connected'],
  power: ['AC output power', 'PV power', 'Power', 'Charge power', 'Generator power', 'Output power'],
  stateOfCharge: ['State of charge'],
  temperature: ['Temperature', 'DC temperature', 'Component temperature', 'Temperature MOS', 'Temperature 1'],
} as const;

/** Kinds that have cards, in their order. */
const KINDS = ['inverters', 'batteries', 'chargers', 'generators'] as const;

/** The units of hardware in the order of kinds, then of numbers. */
export function unitsOf(definitions: readonly MetricDefinition[]): readonly UnitTopics[] {
  const groups = [...groupBy(definitions, ({ topic }) => topic.slice(0, topic.indexOf('/')))];
  return groups
    .flatMap(([prefix, members]): UnitTopics[] => {
      const [first] = members;
      if (first === undefined || first.number === null || kindRank(first.device) < 0) return [];
      const byName = new Map(members.map((one) => [one.name, one]));
      const topics = Object.entries(NAMES).flatMap(([key, names]) => {
        const found = names.find((name) => byName.has(name));
        return found === undefined ? [] : [[key, byName.get(found)]];
      });
      return [{ prefix, kind: first.device, number: first.number, ...Object.fromEntries(topics) }];
    })
    .toSorted((one, other) => kindRank(one.kind) - kindRank(other.kind) || one.number - other.number);
}

function kindRank(kind: MetricDefinition['device']): number {
  return (KINDS as readonly string[]).indexOf(kind);
}

/** Which way power flows at a battery: into it is positive. Below 10 W it rests. */
export function batteryDirection(powerW: MetricValue | undefined): 'charging' | 'discharging' | 'idle' {
  if (typeof powerW !== 'number' || Math.abs(powerW) < 10) return 'idle';
  return powerW > 0 ? 'charging' : 'discharging';
}
