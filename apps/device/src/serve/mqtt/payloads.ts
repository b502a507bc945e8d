import type { MetricDefinition, MetricValue } from '@heliograph/metrics';
import type { Sample } from '../../poll/snapshot.ts';

/** Home Assistant's text for "unknown" on every platform; an empty message would delete the retained one. */
const UNKNOWN = 'None';
/** A text that reads like {@link UNKNOWN} and is known, such as that of the active alarms without any. */
const KNOWN_NONE = 'none';

/** The texts of a switch on MQTT, however its inverter spells them. */
export const SWITCH_ON = 'true';
export const SWITCH_OFF = 'false';

/** A value as plain text. Measurements with decimals keep at least one, so that a client sees which they are. */
export function stateText({ definition, value }: Pick<Sample, 'definition' | 'value'>): string {
  const shown = definition.setting?.kind === 'switch' ? flagOf(definition.setting, value) : value;
  if (shown === null || shown === '') return UNKNOWN;
  if (shown === UNKNOWN && definition.setting === undefined) return KNOWN_NONE;
  if (typeof shown !== 'number') return String(shown);
  return hasDecimals(definition) && Number.isInteger(shown) ? shown.toFixed(1) : String(shown);
}

/** Whether the value is too old to be shown, and then since when, as JSON. */
export function attributesText({ stale, readAt }: Sample): string {
  if (!stale) return '{"stale":false}';
  return JSON.stringify({ stale, updated_at: readAt > 0 ? new Date(readAt).toISOString() : null });
}

function flagOf({ on, off }: { readonly on: string; readonly off: string }, value: MetricValue): MetricValue {
  if (value === on) return true;
  return value === off ? false : value;
}

function hasDecimals({ decimals = 0 }: MetricDefinition): boolean {
  return decimals > 0;
}
