import type { Static, TSchema } from 'typebox';

/** A JSON Schema, as far as samples need it. */
export interface SampledSchema {
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SampledSchema>>;
  readonly required?: readonly string[];
  readonly items?: SampledSchema;
  readonly anyOf?: readonly SampledSchema[];
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
}

/** As a key of 32 bytes in base64url. */
const TEXT_LENGTH = 43;

/** A value that satisfies a schema: its first example where it has one; of objects the required fields. */
export function sampleOf<Schema extends TSchema>(schema: Schema): Static<Schema>;
export function sampleOf(schema: SampledSchema): unknown;
export function sampleOf(schema: SampledSchema): unknown {
  const { type, format, examples, anyOf, properties = {}, required = [], minLength = 0, maxLength } = schema;
  if (examples !== undefined) return examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum.at(-1);
  if (type === 'object') {
    const names = [...required, ...(anyOf?.[0]?.required ?? [])];
    return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] ?? {})]));
  }
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0]);
  if (type === 'array')
    return Array.from({ length: schema.minItems ?? 1 }, () => sampleOf(schema.items ?? {}));
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type !== 'string') return null;
  if (format === 'date-time') return '2027-01-01T00:00:00Z';
  if (format === 'date') return '2027-01-01';
  return 'x'.repeat(Math.min(Math.max(TEXT_LENGTH, minLength), maxLength ?? Number.POSITIVE_INFINITY));
}
