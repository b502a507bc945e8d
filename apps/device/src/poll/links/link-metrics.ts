import type { Clock } from '@heliograph/kit';
import { defineMetric, type MetricDefinition, type Quantity, type UnitKind } from '@heliograph/metrics';
import type { Traffic } from '../../bus/bus.ts';
import type { NamedMeasured } from '../totals/measured.ts';

const LINK_QUALITY: Quantity = {
  name: 'Link quality',
  group: 'Info',
  unit: '%',
  decimals: 0,
  stateClass: 'measurement',
};

/** Counts since the device was started. */
const counter = (name: string): Quantity => ({
  name,
  group: 'Info',
  unit: '',
  decimals: 0,
  stateClass: 'total_increasing',
});
const UNANSWERED = counter('Link unanswered requests');
const DROPPED = counter('Link dropped frames');
/** Values that cannot be. */
const WITHHELD = counter('Link withheld values');

const QUANTITIES = [LINK_QUALITY, UNANSWERED, DROPPED, WITHHELD];
const NAMES: ReadonlySet<string> = new Set(QUANTITIES.map(({ name }) => name));
const definitions = new Map<string, readonly MetricDefinition[]>();

/** Quality and counts of a connection. */
export interface LinkState {
  /** Answered polls of the last minute, in percent. */
  readonly quality: number | null;
  /** Whether it has neither answered nor failed three polls since the start. */
  readonly isStarting: boolean;
  readonly traffic: Traffic;
  /** Values that were not believed, since the device was started. */
  readonly withheldValues: number;
}

/** How the link to a unit does, as metrics of that unit; known as long as the device runs, the link up or down. */
export function linkMetrics(
  kind: UnitKind,
  number: number,
  { quality, isStarting, traffic, withheldValues }: LinkState,
  clock: Clock,
): readonly NamedMeasured[] {
  const now = { readAt: clock.now(), readAtMonotonic: clock.monotonic() };
  const values = [quality, traffic.silent, traffic.dropped, withheldValues];
  return definitionsOf(kind, number).flatMap((definition, index) => {
    const value = values[index];
    if (value === undefined) return [];
    const awaited = isStarting && definition.name === LINK_QUALITY.name;
    return [{ definition, value, ...now, ...(awaited && { awaited }) }];
  });
}

/** Whether a metric is of the link to its unit, and known while the unit does not answer. */
export function isLinkMetric({ name }: MetricDefinition): boolean {
  return NAMES.has(name);
}

/** The same objects every time: who compares definitions need not look into them. */
function definitionsOf(kind: UnitKind, number: number): readonly MetricDefinition[] {
  const key = `${kind} ${number}`;
  const known = definitions.get(key) ?? QUANTITIES.map((quantity) => defineMetric(kind, number, quantity));
  definitions.set(key, known);
  return known;
}
