import { validatorOf } from '@heliograph/http/validator';
import { violationsOf } from '@heliograph/http/violations';
import { truncate } from '@heliograph/kit';
import type { TSchema } from 'typebox';
import type { TValidationError } from 'typebox/error';
import { didYouMean } from './closest.ts';
import type { Path, YamlIssue } from './source.ts';

/** Everything by which a value breaks its schema, in plain words. */
export function schemaErrors(schema: TSchema, value: unknown, base: Path = []): readonly YamlIssue[] {
  const complaints = violationsOf(validatorOf(schema), value)
    .flatMap((error) => explain(schema, value, error))
    .map((complaint) => ({ ...complaint, path: [...base, ...complaint.path] }));
  // Of several rules that one value breaks, the first is enough.
  const seen = new Set<string>();
  return complaints.filter(({ path }) => {
    const key = JSON.stringify(path);
    return !seen.has(key) && seen.add(key);
  });
}

function explain(schema: TSchema, root: unknown, error: TValidationError): readonly YamlIssue[] {
  const path = pathOf(error.instancePath, root);
  const value = at(root, path);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties
        .filter((name) => at(root, [...path, name]) === undefined)
        .map((name) => ({ path: [...path, name], message: 'is missing' }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => unknownName(schema, [...path, name]));
    case 'boolean':
      // A name that the schema does not list breaks the schema "false", which each of these stands for.
      return [unknownName(schema, path)];
    case 'enum':
      return [{ path, message: `must be ${oneOf(error.params.allowedValues)}, not ${shown(value)}` }];
    case 'anyOf':
    case 'const': {
      const choices = schemaAt(schema, path)?.anyOf?.map((choice) => choice.const) ?? [];
      return [{ path, message: `must be ${oneOf(choices)}, not ${shown(value)}` }];
    }
    case 'type': {
      const wanted = TYPES[String(error.params.type)] ?? 'something else';
      // A message about a secret does not contain the secret.
      const not = path.at(-1) === 'password' ? '; put it in quotes' : `, not ${shown(value)}`;
      return [{ path, message: `must be ${wanted}${not}` }];
    }
    case 'minimum':
    case 'maximum':
      return [{ path, message: `must be ${range(schemaAt(schema, path))}, not ${shown(value)}` }];
    case 'minLength':
      return [{ path, message: 'is empty' }];
    case 'pattern':
      return [{ path, message: `cannot be ${shown(value)}: ${schemaAt(schema, path)?.description}` }];
    default:
      return [{ path, message: 'cannot be used as it is' }];
  }
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'names with values below it',
  array: 'a list, each entry beginning with "-"',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

function unknownName(schema: TSchema, path: Path): YamlIssue {
  const name = String(path.at(-1));
  const names = Object.keys(propertiesOf(schemaAt(schema, path.slice(0, -1))));
  if (names.length === 0) return { path, message: 'cannot be a name here', aboutName: true };
  const hint = didYouMean(name, names) || `; what there is: ${names.join(', ')}`;
  return { path, message: `there is no setting of this name${hint}`, aboutName: true };
}

/** Longest text of the file in a message, in characters. */
const MAX_SHOWN = 60;

/** A value of the file for messages, cut where it is long. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    // An address may hold who comes in, and by which password.
    const open = value.replace(/\/\/[^/]*@/, '//…@');
    return `"${truncate(open.replaceAll(/\p{Cc}/gu, '�'), MAX_SHOWN)}"`;
  }
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'names with values' : String(value);
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map(String);
  const last = texts.pop();
  return texts.length === 0 ? String(last) : `${texts.join(', ')} or ${last}`;
}

function range(schema: SchemaParts | undefined): string {
  const { minimum, maximum } = schema ?? {};
  if (minimum === undefined) return `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

/** The parts of a schema that are read here. */
interface SchemaParts {
  readonly properties?: Readonly<Record<string, SchemaParts>>;
  readonly items?: SchemaParts;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly anyOf?: readonly SchemaParts[];
  readonly const?: unknown;
}

function schemaAt(schema: TSchema, path: Path): SchemaParts | undefined {
  return path.reduce<SchemaParts | undefined>(
    (inner, step) => (typeof step === 'number' ? inner?.items : inner?.properties?.[step]),
    schema as SchemaParts,
  );
}

function propertiesOf(schema: SchemaParts | undefined): Readonly<Record<string, unknown>> {
  return schema?.properties ?? {};
}

/** A JSON pointer (RFC 6901); a step into a list becomes a number. */
function pathOf(pointer: string, root: unknown): Path {
  const steps = pointer.split('/').slice(1);
  const path: (string | number)[] = [];
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(at(root, path)) ? Number(name) : name);
  }
  return path;
}

function at(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  );
}
