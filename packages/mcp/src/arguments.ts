import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';

/** Complaints that one answer names at most: whoever mends these learns of the others next time. */
const MAX_COMPLAINTS = 5;

/** Longest name of an argument that is repeated to whoever sent it, in characters. */
const MAX_NAME = 60;

/** @returns what is wrong with a tool's arguments and what is allowed instead; undefined when nothing is */
export type ArgumentCheck = (given: unknown) => string | undefined;

/** Compiles the check of a tool's arguments once, so that a call costs microseconds. */
export function argumentCheck(input: TObject): ArgumentCheck {
  const validator = Compile(input);
  const takes = Object.keys(input.properties);
  const accepted = takes.length === 0 ? 'It takes no arguments.' : `It takes ${takes.join(', ')}.`;
  return (given) => {
    if (validator.Check(given)) return undefined;
    const complaints = new Set(validator.Errors(given).map(inWords).filter(isSaid));
    return `Invalid arguments: ${[...complaints].slice(0, MAX_COMPLAINTS).join('; ')}. ${accepted}`;
  };
}

interface Violation {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** @returns undefined for what another violation says better */
function inWords({ keyword, instancePath, params, message }: Violation): string | undefined {
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

function isSaid(complaint: string | undefined): complaint is string {
  return complaint !== undefined;
}
