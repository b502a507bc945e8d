import { findJsonFault } from '@heliograph/kit';

/** Longest text of arguments that is read as JSON, in characters. */
const MAX_JSON_LENGTH = 20_000;

/**
 * A message, or each of a batch, without what programs write in place of a field that they leave out: null and, for the
 * arguments of a call, an empty text. Arguments that are a text of JSON are read.
 */
export function usualMessage(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(usualMessage);
  if (!isRecord(body)) return body;
  const { params, ...message } = body;
  if (params === undefined || params === null) return message;
  return isRecord(params) ? { ...message, params: usualParams(params) } : body;
}

function usualParams(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(params).map(([name, value]): [string, unknown] => [
    name,
    name === 'arguments' ? usualArguments(value) : value,
  ]);
  return Object.fromEntries(named.filter(([, value]) => value !== null && value !== undefined));
}

function usualArguments(given: unknown): unknown {
  if (typeof given !== 'string' || given.length > MAX_JSON_LENGTH) return given;
  if (given.trim() === '') return undefined;
  // As with the body itself: what a body may not hold, a text within it may not.
  if (findJsonFault(given) !== undefined) return given;
  try {
    const read: unknown = JSON.parse(given);
    return read === null || isRecord(read) ? read : given;
  } catch {
    return given;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
