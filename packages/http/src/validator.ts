import { isTextPattern, uidOf } from '@heliograph/contracts';
import { BadRequest, ValidationError } from '@heliograph/kit';
import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TProperties, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { complaintAboutFirst } from './complaint.ts';
import { fieldAt, textFaults, type Violation, violationsOf } from './violations.ts';

/**
 * Validates with TypeBox. Bodies are taken as they are; in paths and queries, where all is text, a property
 * that the schema calls an integer is read from its digits, and only from digits. A uid loses the spaces around it and
 * capital letters, wherever it stands, and text that people wrote is composed.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const integers = httpPart === 'body' ? [] : propertiesOf(schema, ({ type }) => type === 'integer');
  const uids = propertiesOf(schema, ({ format }) => format === 'uid');
  const compose = composingOf(schema) ?? ((value: unknown) => value);
  return (given) => {
    const value = compose(withReplaced(withReplaced(given, integers, integerOf), uids, uidOf));
    const validator = validatorOf(schema);
    if (validator.Check(value)) return { value };
    return { error: refusal(violationsOf(validator, value), httpPart, given) };
  };
};

/**
 * A reader of values that are no body, such as the payload of a frame. It throws BadRequest, which names the field as the
 * refusal of a body does.
 */
export function readerOf<Schema extends TSchema>(schema: Schema): (given: unknown) => Static<Schema> {
  return (given) => {
    const validator = validatorOf(schema);
    if (validator.Check(given)) return given;
    throw new BadRequest(describe(violationsOf(validator, given), 'payload', given));
  };
}

const validators = new WeakMap<TSchema, Validator>();

/** Compiled at the first use: a server has hundreds of schemas, and needs few of them for its first requests. */
export function validatorOf<Schema extends TSchema>(schema: Schema): Validator<TProperties, Schema> {
  const known = validators.get(schema) ?? Compile(schema);
  validators.set(schema, known);
  return known as Validator<TProperties, Schema>;
}

interface PropertySchema {
  readonly type?: unknown;
  readonly format?: unknown;
}

function propertiesOf(schema: TSchema, isMeant: (property: PropertySchema) => boolean): string[] {
  const properties = 'properties' in schema ? (schema.properties as Record<string, PropertySchema>) : {};
  return Object.keys(properties).filter((name) => isMeant(properties[name] ?? {}));
}

/** @param replacement of a text; undefined: it stays */
function withReplaced(
  given: unknown,
  names: readonly string[],
  replacement: (text: string) => unknown,
): unknown {
  if (names.length === 0 || typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const values: Record<string, unknown> = { ...given };
  for (const name of names) {
    const text = values[name];
    if (typeof text === 'string') values[name] = replacement(text) ?? text;
  }
  return values;
}

function integerOf(text: string): number | undefined {
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/** Text that is blank, or has invisible characters, is refused with 422 for its field. */
function refusal(violations: readonly Violation[], httpPart: string | undefined, given: unknown): Error {
  const [first] = violations;
  const faults = textFaults(violations, given);
  const isOfText = first !== undefined && Object.hasOwn(faults, fieldAt(first.instancePath));
  return isOfText ? new ValidationError(faults) : new Error(describe(violations, httpPart, given));
}

/** The first broken rule as a sentence that names the field: `organization_id must be a whole number, not a text`. */
export function describe(violations: readonly Violation[], httpPart = 'body', given: unknown): string {
  const [first] = violations;
  if (first === undefined) return `The ${httpPart} is not valid`;
  // Fastify validates a body that was not sent as null.
  if (given === null) return `The ${httpPart} is missing`;
  const field = fieldAt(first.instancePath);
  if (first.keyword === 'required') return missing(field, fewestMissing(violations, first.instancePath));
  return `${field === '' ? `The ${httpPart}` : field} ${complaintAboutFirst(violations, given, httpPart === 'querystring')}`;
}

/**
 * The fields that are missing at a place. Of alternatives it is the first, or one that lacks only some of the same: a
 * sign-in with a pending token lacks no password.
 */
function fewestMissing(violations: readonly Violation[], path: string): readonly string[] {
  const alternatives = violations
    .filter(({ keyword, instancePath }) => keyword === 'required' && instancePath === path)
    .map(({ params }) => ('requiredProperties' in params ? (params.requiredProperties as string[]) : []));
  return alternatives.reduce((fewest, names) =>
    names.length < fewest.length && names.every((name) => fewest.includes(name)) ? names : fewest,
  );
}

/** @param names of fields, at least one */
function missing(within: string, names: readonly string[]): string {
  const fields = names.map((name) => (within === '' ? name : `${within}.${name}`));
  return `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'} missing`;
}

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
function composingOf(schema: SchemaPart): Composing | undefined {
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
