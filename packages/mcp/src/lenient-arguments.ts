import { findJsonFault } from '@heliograph/kit';
import type { TObject, TSchema } from 'typebox';

/** The keywords of schemas of arguments that matter here; schemas name a single type. */
interface Described {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** Longest text that is read as JSON, in characters: far more than any argument has. */
const MAX_JSON_LENGTH = 4_000;

const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,10})?$/;

/**
 * Arguments as their schema has them: models and the programs around them send text in place of numbers, switches and
 * lists, a text in place of a list with it alone, and null, its name or an empty text for what they leave out. Nothing else
 * is guessed.
 */
export function lenientArguments(input: TObject, given: unknown): unknown {
  return asSchema(input, given);
}

function asSchema(schema: TSchema, given: unknown): unknown {
  const { type, items } = schema as Described;
  switch (type) {
    case 'number':
    case 'integer':
      return typeof given === 'string' && NUMBER.test(given) ? Number(given) : given;
    case 'boolean':
      return given === 'true' || given === 'false' ? given === 'true' : given;
    case 'array': {
      const list = asList(given, items);
      return Array.isArray(list) && items !== undefined ? list.map((item) => asSchema(items, item)) : list;
    }
    case 'object':
      return asObject(schema as Described, parsedText(given, isObject));
    default:
      return given;
  }
}

function asList(given: unknown, items: TSchema | undefined): unknown {
  const list = parsedText(given, Array.isArray);
  const isLoneText = typeof list === 'string' && (items as Described | undefined)?.type === 'string';
  return isLoneText ? [list] : list;
}

function asObject({ properties = {}, required = [] }: Described, given: unknown): unknown {
  if (!isObject(given)) return given;
  const fields = Object.entries(given)
    .filter(
      ([name, value]) => !isNothing(value) || required.includes(name) || !Object.hasOwn(properties, name),
    )
    .map(([name, value]): [string, unknown] => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema === undefined ? value : asSchema(schema, value)];
    });
  return Object.fromEntries(fields);
}

/** A value that stands for none, also alone in a list. */
function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1 && !Array.isArray(value[0]) && isNothing(value[0]);
  return value === null || value === '' || value === 'null';
}

/** The content of a text of JSON that is of the kind that is due; anything else as it was given. */
function parsedText(given: unknown, isOfKind: (value: unknown) => boolean): unknown {
  if (typeof given !== 'string' || given.length > MAX_JSON_LENGTH || !/^\s*[[{]/.test(given)) return given;
  if (findJsonFault(given) !== undefined) return given;
  try {
    const value: unknown = JSON.parse(given);
    return isOfKind(value) ? value : given;
  } catch {
    return given;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
