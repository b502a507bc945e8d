import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** Violations that one answer names at most. */
const MAX_VIOLATIONS = 5;

/** Longest name of an argument in an answer, in characters. */
const MAX_NAME = 60;

/** @returns what is wrong with a tool's arguments and what is allowed instead; undefined when nothing is */
export type ArgumentCheck = (given: unknown) => string | undefined;

/** Compiles the check of a tool's arguments at its first call, so that a later one costs microseconds. */
export function argumentCheck(input: TObject): ArgumentCheck {
  let validator: Validator | undefined;
  const argumentNames = Object.keys(input.properties);
  const accepted =
    argumentNames.length === 0 ? 'It takes no arguments.' : `It takes ${argumentNames.join(', ')}.`;
  return (given) => {
    validator ??= Compile(input) as Validator;
    if (validator.Check(given)) return undefined;
    const messages = new Set(validator.Errors(given).map(describeViolation).filter(isDefined));
    return `Invalid arguments: ${[...messages].slice(0, MAX_VIOLATIONS).join('; ')}. ${accepted}`;
  };
}

interface Violation {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** @returns undefined for a violation that another one describes better */
function describeViolation({ keyword, instancePath, params, message }: Violation): string | undefined {
  const name = instancePath.slice(1).replaceAll('/', '.').slice(0, MAX_NAME);
  if ('requiredProperties' in params) return `${namesIn(params.requiredProperties)} missing`;
  // Of each field that a closed schema does not list is said besides that it breaks the schema "false".
  if (keyword === 'boolean') return `${name} is not an argument of this tool`;
  if (keyword === 'additionalProperties') return undefined;
  if ('allowedValues' in params && Array.isArray(params.allowedValues))
    return `${name} must be one of ${params.allowedValues.join(', ')}`;
  return `${name === '' ? 'the arguments' : name} ${message}`;
}

function namesIn(names: unknown): string {
  return Array.isArray(names) ? `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}` : 'something is';
}

function isDefined(message: string | undefined): message is string {
  return message !== undefined;
}
