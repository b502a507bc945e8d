import { type DiscoveryFields, definitionRow, discoveryFields, type MetricRow } from '@heliograph/metrics';
import type { Sample } from '../../poll/snapshot.ts';

/** A metric as a REST read lists it. */
export function metricRow(sample: Sample): MetricRow {
  const { definition, value, readAt, stale, lastValue = null } = sample;
  return {
    ...definitionRow(definition),
    value,
    updated_at: readAt > 0 ? new Date(readAt).toISOString() : null,
    stale,
    ...(stale && { last_value: lastValue }),
  };
}

/** The same with what a client needs to show or control it. */
export function fullRow(sample: Sample): MetricRow & DiscoveryFields {
  return { ...metricRow(sample), ...discoveryFields(sample.definition) };
}

/** Whether the metric is about the device itself, and so stands in `GET /api/v1/system`. */
export function isSystem(sample: Sample): boolean {
  return sample.definition.device === 'system';
}
