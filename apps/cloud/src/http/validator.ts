import { ValidationError } from '@heliograph/kit';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { unseenCharacters, type Violation } from './violations.ts';

/**
 * Validates with TypeBox. Bodies are taken as they are; in paths and queries, where all is text, a property
 * that the schema calls an integer is read from its digits, and only from digits.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  const integers = httpPart === 'body' ? [] : integerProperties(schema);
  return (given) => {
    const value = integers.length === 0 ? given : withIntegers(given, integers);
    if (validator.Check(value)) return { value };
    return { error: refusal([...validator.Errors(value)], httpPart) };
  };
};

function integerProperties(schema: TSchema): string[] {
  const properties = 'properties' in schema ? (schema.properties as Record<string, { type?: unknown }>) : {};
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
}

function withIntegers(given: unknown, names: readonly string[]): unknown {
  const values: Record<string, unknown> = { ...(given as Record<string, unknown>) };
  for (const name of names) {
    const text = values[name];
    if (typeof text === 'string' && /^-?\d+$/.test(text)) values[name] = Number(text);
  }
  return values;
}

/** Text with invisible characters is refused with 422 for its field. */
function refusal(violations: readonly Violation[], httpPart: string | undefined): Error {
  const [first] = violations;
  const unseen = unseenCharacters(violations);
  const isUnseen = first !== undefined && first.instancePath.slice(1) in unseen;
  return isUnseen ? new ValidationError(unseen) : new Error(describe(first, httpPart));
}

/** The first broken rule as a sentence that names the field: `organization_id must be integer`. */
function describe(violation: Violation | undefined, httpPart = 'body'): string {
  if (violation === undefined) return `The ${httpPart} is not valid`;
  const field = violation.instancePath.slice(1).replaceAll('/', '.');
  // TypeBox reports a field that a closed schema does not list as one with the schema "false".
  const complaint = violation.keyword === 'boolean' ? 'is not accepted here' : violation.message;
  return `${field === '' ? `The ${httpPart}` : field} ${complaint}`;
}
