import { definitionRow, discoveryFields, type MetricDefinition } from '@heliograph/metrics';
import type { Framing } from '@heliograph/wire';
import type { Sample } from '../../poll/snapshot.ts';
import { metricRow } from './rows.ts';

/** The one channel there is. */
export const CHANNEL = 'metrics';

const definitions = new WeakMap<MetricDefinition, string>();
const values = new WeakMap<Sample, string>();

/** A topic's definition with its discovery fields as JSON, encoded once however many clients get it. */
export function definitionJson(definition: MetricDefinition): string {
  return remembered(definitions, definition, () =>
    JSON.stringify({ ...definitionRow(definition), ...discoveryFields(definition) }),
  );
}

/** `{topic, value}` as JSON, with what was read last where that is stale, encoded once however many clients get it. */
function valueJson(sample: Sample): string {
  const { topic } = sample.definition;
  return remembered(values, sample, () => {
    const { value, stale, updated_at, last_value } = metricRow(sample);
    return JSON.stringify(stale ? { topic, value, stale, updated_at, last_value } : { topic, value });
  });
}

/** A `definition` push for these samples. */
export function definitionPush(samples: readonly Sample[], framing: Framing, joinRef: string | null): string {
  const rows = samples.map(({ definition }) => definitionJson(definition));
  return push('definition', `{"definitions":[${rows.join()}]}`, framing, joinRef);
}

/** A `data` push for these samples. */
export function dataPush(samples: readonly Sample[], framing: Framing, joinRef: string | null): string {
  return push('data', `{"metrics":[${samples.map(valueJson).join()}]}`, framing, joinRef);
}

/** The same as `encodeFrame` of the wire package for a push whose payload is JSON already. */
export function push(event: string, payloadJson: string, framing: Framing, joinRef: string | null): string {
  const ref = joinRef === null ? 'null' : JSON.stringify(joinRef);
  return framing === 'array'
    ? `[${ref},null,"${CHANNEL}","${event}",${payloadJson}]`
    : `{"topic":"${CHANNEL}","event":"${event}","payload":${payloadJson},"ref":null,"join_ref":${ref}}`;
}

function remembered<K extends object>(memory: WeakMap<K, string>, key: K, encode: () => string): string {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const text = encode();
  memory.set(key, text);
  return text;
}
