import type { MetricDefinition, MetricValue } from '@heliograph/metrics';
import type { Sample, Snapshot } from '../../poll/snapshot.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { REMOVED } from './redactor.ts';

/** Texts that describe a kind of hardware, and no single piece of it. */
const PLAIN_INFO =
  /^(?:Manufacturer|Model name|Model number|Machine type|Topology|Operation logic|Battery type|Balancing|(?:Charge|Discharge) switch|Max (?:grid )?charge current options|Protocol|(?:Firmware|Hardware|Protocol|Software) version)(?: \d+)?$/;

/** Texts that identify a single piece of hardware. */
export const IDENTIFYING_INFO = /\b(?:serial|barcode|ID)\b/i;

/** The present values. @param nowMs milliseconds since the epoch */
export function presentMetrics({ samples }: Snapshot, nowMs: number, pseudonyms: Pseudonyms): object[] {
  return [...samples].map(([topic, { definition, value, readAt, stale }]: [string, Sample]) => ({
    topic,
    unit: definition.unit,
    value: presentValue(definition, value, pseudonyms),
    age_s: readAt === 0 ? null : Math.round((nowMs - readAt) / 1000),
    stale,
  }));
}

function presentValue(
  { group, name, device }: MetricDefinition,
  value: MetricValue,
  pseudonyms: Pseudonyms,
): MetricValue {
  if (value === null || value === '' || device === 'system') return value;
  if (group === 'Info' && IDENTIFYING_INFO.test(name)) return pseudonyms.of('serial', String(value));
  if (typeof value !== 'string' || group === 'Status' || group === 'Settings') return value;
  return PLAIN_INFO.test(name) ? value : REMOVED;
}
