import { COLOR_PATTERN, EMAIL_PATTERN, NO_EMAIL_ADDRESS } from '@heliograph/contracts';
import { type Violation, valueAt } from './violations.ts';

/** Longest given text that a complaint repeats. */
const MAX_REPEATED = 40;

/**
 * The complaint about the place of the first violation, as `complaintAbout`.
 *
 * @param violations at least one
 * @param isOfText of parameters, which are all text: one that should be a number is repeated, not called a text
 */
export function complaintAboutFirst(
  violations: readonly Violation[],
  given: unknown,
  isOfText = false,
): string {
  const { instancePath } = violations[0] as Violation;
  const there = violations.filter((one) => one.instancePath === instancePath);
  return complaintAbout(there, valueAt(given, instancePath), isOfText);
}

/**
 * The end of a sentence about one invalid field: `must be a whole number, not a text`.
 *
 * @param violations of that field, of which a union of schemas has one for each alternative
 * @param given its value
 */
function complaintAbout(violations: readonly Violation[], given: unknown, isOfText: boolean): string {
  const allowed = violations.flatMap(({ keyword, params }) => allowedBy(keyword, params));
  // A schema of certain values has their type, too.
  const ofValues = new Set(violations.filter(isOfValues).map(({ schemaPath }) => schemaPath));
  const isFree = ({ keyword, schemaPath }: Violation) => keyword === 'type' && !ofValues.has(schemaPath);
  const types = [...new Set(violations.filter(isFree).flatMap(typesOf))];
  if (allowed.length > 0) {
    const what = types.length === 0 || typeof given === 'number' ? shown(given) : kindOf(given);
    return `must be ${either([...types, ...allowed])}, not ${what}`;
  }
  const limit = violations.find(({ keyword }) => !STRUCTURAL.has(keyword));
  if (limit !== undefined) return limitOf(limit, given);
  // A number where a text is expected can be a secret.
  const isNumeric = types.some((type) => type === TYPE_NAMES.integer || type === TYPE_NAMES.number);
  if (types.length === 0) return UNEXPECTED;
  const what = isNumeric && isOfText && typeof given === 'string' ? shownParameter(given) : kindOf(given);
  return `must be ${either(types)}, not ${isNumeric && typeof given === 'number' ? given : what}`;
}

const UNEXPECTED = 'has not the form that is expected here';

/** Keywords that only say that something within is wrong. */
const STRUCTURAL = new Set(['anyOf', 'oneOf', 'allOf', 'type', 'not']);

function isOfValues({ keyword }: Violation): boolean {
  return keyword === 'enum' || keyword === 'const';
}

function allowedBy(keyword: string, params: object): string[] {
  if (keyword === 'enum' && 'allowedValues' in params) {
    return (params.allowedValues as unknown[]).map((value) => JSON.stringify(value));
  }
  return keyword === 'const' && 'allowedValue' in params ? [JSON.stringify(params.allowedValue)] : [];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typesOf({ params }: Violation): string[] {
  const type = 'type' in params ? params.type : [];
  return [type].flat().map((name) => TYPE_NAMES[String(name)] ?? String(name));
}

function kindOf(given: unknown): string {
  if (given === null) return 'null';
  if (Array.isArray(given)) return 'a list';
  return TYPE_NAMES[typeof given] ?? 'nothing';
}

/** A value that is no secret: one of a few, or a number. */
function shown(given: unknown): string {
  if (typeof given === 'string' && given.length > MAX_REPEATED) return `a text of ${given.length} characters`;
  return typeof given === 'object' && given !== null ? kindOf(given) : (JSON.stringify(given) ?? 'nothing');
}

/** A number that was given as the text of a parameter is shown as one. */
function shownParameter(given: string): string {
  return /^-?\d{1,20}(\.\d{1,20})?$/.test(given) ? given : shown(given);
}

function limitOf({ keyword, params }: Violation, given: unknown): string {
  const limit = 'limit' in params ? String(params.limit) : '';
  switch (keyword) {
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters, not ${String(given).length}`;
    case 'minimum':
    case 'exclusiveMinimum':
      return `must be at least ${limit}, not ${shown(given)}`;
    case 'maximum':
    case 'exclusiveMaximum':
      return `must be at most ${limit}, not ${shown(given)}`;
    case 'minItems':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'uniqueItems':
      return 'must not have an entry twice';
    case 'format':
      return formatComplaint('format' in params ? String(params.format) : '');
    case 'pattern':
      return PATTERNS[('pattern' in params && String(params.pattern)) || ''] ?? UNEXPECTED;
    case 'boolean':
      return 'is not accepted here';
    default:
      return UNEXPECTED;
  }
}

function formatComplaint(format: string): string {
  const expected = FORMATS[format];
  return expected === undefined ? UNEXPECTED : `must be ${expected}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a date and time such as 2026-05-01T12:00:00Z',
  email: 'an email address',
  uri: 'a URL',
};

const PATTERNS: Readonly<Record<string, string>> = {
  [EMAIL_PATTERN]: NO_EMAIL_ADDRESS,
  [COLOR_PATTERN]: 'must be a colour such as #1a2b3c',
};

/** @param choices at least one */
function either(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length === 1 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}
