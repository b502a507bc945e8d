import type { MetricDefinition } from '@heliograph/client';
import { groupBy } from '@heliograph/kit/group-by';

/** The subjects of metrics, in the order in which they are shown. */
export const SUBJECTS = [
  'power',
  'energy',
  'battery',
  'cells',
  'temperatures',
  'states',
  'settings',
  'system',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Counts and shares without a unit, which are no states. */
const NUMBERS = /^(?:cycles|power factor|.* count)$/i;

/** Beside power: voltages, currents and frequencies of it. */
export function subjectOf({ device, group, name, unit }: MetricDefinition): Subject {
  if (group === 'Settings') return 'settings';
  if (device === 'system' || group === 'Info' || name.startsWith('Link ')) return 'system';
  if (/\bcell\b/i.test(name)) return 'cells';
  if (unit === '°C') return 'temperatures';
  if (unit === 'kWh' || unit === 'Wh') return 'energy';
  if (unit === '' && !NUMBERS.test(name)) return 'states';
  return device === 'batteries' || /^(?:battery|bms)\b/i.test(name) ? 'battery' : 'power';
}

/** Metrics by subject, those without any left out. */
export function bySubject(
  definitions: readonly MetricDefinition[],
): readonly { readonly subject: Subject; readonly definitions: readonly MetricDefinition[] }[] {
  const groups = groupBy(definitions, subjectOf);
  return SUBJECTS.flatMap((subject) => {
    const members = groups.get(subject);
    return members === undefined ? [] : [{ subject, definitions: members }];
  });
}
