import { type HistoryRange, RANGES } from '../energy/ranges.ts';

/**
 * The topics and the range of the shown history; they stand in the address, so that a link leads to the same curves.
 */
export interface HistorySelection {
  readonly topics: readonly string[];
  readonly range: HistoryRange;
}

/** More curves cannot be distinguished, and a small board has to read them all. */
export const MAX_TOPICS = 8;

export const DEFAULT_TOPICS: readonly string[] = [
  'total/pv_power',
  'total/load_power',
  'total/grid_power',
  'total/battery_power',
  'total/battery_state_of_charge',
];

/** @param search what stands behind the `?` of an address */
export function selectionOf(search: string): HistorySelection {
  const parameters = new URLSearchParams(search);
  const named = parameters.getAll('topic').filter((topic) => topic !== '');
  const topics = [...new Set(named)].slice(0, MAX_TOPICS);
  const range = RANGES.find((one) => one === parameters.get('range'));
  return { topics: parameters.has('topic') ? topics : DEFAULT_TOPICS, range: range ?? 'today' };
}

/** The reverse of {@link selectionOf}. An empty topic stands for none at all. */
export function searchOf({ topics, range }: HistorySelection): string {
  const parameters = new URLSearchParams();
  for (const topic of topics.length === 0 ? [''] : topics) parameters.append('topic', topic);
  parameters.set('range', range);
  return parameters.toString();
}
