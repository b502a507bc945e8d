import type { MetricDefinition } from '@heliograph/client';
import { foldText } from '@heliograph/contracts/folded-text';
import { groupBy } from '@heliograph/kit/group-by';

/** The metrics of one inverter, one battery, the totals. */
interface DeviceMetrics {
  readonly key: string;
  readonly device: MetricDefinition['device'];
  /** 0-based for units of hardware, otherwise null. */
  readonly number: number | null;
  readonly definitions: readonly MetricDefinition[];
}

/** Whether more than the totals, which arrive first, is known. */
export function hasUnits(definitions: readonly MetricDefinition[]): boolean {
  return definitions.some(({ device }) => device !== 'totals');
}

/** Metrics by their device, in the order of the definitions. */
export function byDevice(definitions: readonly MetricDefinition[]): readonly DeviceMetrics[] {
  const groups = groupBy(definitions, ({ device, number }) => `${device} ${number ?? ''}`);
  return [...groups].flatMap(([key, members]) => {
    const [first] = members;
    return first === undefined
      ? []
      : [{ key, device: first.device, number: first.number, definitions: members }];
  });
}

/**
 * Whether every word of a search is in a metric's name, its topic, or what is shown of it.
 *
 * @param shown the heading that it stands below, and its name in the reader's language
 */
export function matchesSearch({ name, topic }: MetricDefinition, search: string, shown: string): boolean {
  const text = foldText(`${name} ${topic} ${shown}`);
  return foldText(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
