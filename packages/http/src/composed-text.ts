import { isTextPattern } from '@heliograph/contracts';

/** The parts of a JSON schema that have others within. */
interface SchemaPart {
  readonly pattern?: unknown;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
  readonly anyOf?: readonly SchemaPart[];
}

type Composing = (value: unknown) => unknown;

/**
 * Composes text that people wrote (Unicode NFC), so that one name is stored in one form. Secrets stay as they are.
 *
 * @returns undefined for a schema without such text
 */
export function composingOf(schema: SchemaPart): Composing | undefined {
  const { pattern, properties = {}, items, anyOf = [] } = schema;
  if (isTextPattern(pattern)) return (value) => (typeof value === 'string' ? value.normalize('NFC') : value);
  const fields = Object.entries(properties).flatMap(([name, part]) => {
    const composing = composingOf(part);
    return composing === undefined ? [] : [[name, composing] as const];
  });
  const composeItem = items && composingOf(items);
  const alternatives = anyOf.flatMap((part) => composingOf(part) ?? []);
  if (fields.length === 0 && composeItem === undefined && alternatives.length === 0) return undefined;
  return (value) => {
    const chosen = alternatives.reduce((present, composing) => composing(present), value);
    if (Array.isArray(chosen)) return composeItem === undefined ? chosen : chosen.map(composeItem);
    return isRecord(chosen) && fields.length > 0 ? withFields(chosen, fields) : chosen;
  };
}

function withFields(record: Record<string, unknown>, fields: readonly (readonly [string, Composing])[]) {
  const composed = { ...record };
  for (const [name, composing] of fields)
    if (Object.hasOwn(composed, name)) composed[name] = composing(composed[name]);
  return composed;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
