import { isJsonContentType } from '@modelcontextprotocol/server';
import {
  headerOf,
  INVALID_REQUEST,
  PARSE_ERROR,
  protocolError,
  REFUSED,
  type ToolRequest,
  type ToolResponse,
} from './json-rpc.ts';

/** Values of one request at most: calls have a handful, and what checks them takes its time for each. */
const MAX_VALUES = 2_000;

/** Characters of all texts and names of one request at most. */
const MAX_TEXT = 50_000;

/**
 * Whether a request holds far more than any call of a tool needs. Found out without looking at the rest: checking all the
 * arguments that a body has room for takes its time.
 */
function isTooLarge(body: unknown): boolean {
  let values = 0;
  let text = 0;
  // A list of what is left to look at and no recursion: JSON may nest deeper than the stack.
  const open: unknown[] = [body];
  while (open.length > 0) {
    const next = open.pop();
    values += 1;
    if (typeof next === 'string') text += next.length;
    else if (typeof next === 'object' && next !== null) {
      const names = Array.isArray(next) ? [] : Object.keys(next);
      const inner = Array.isArray(next) ? next : Object.values(next);
      if (values + open.length + inner.length > MAX_VALUES) return true;
      for (const name of names) text += name.length;
      open.push(...inner);
    }
    if (text > MAX_TEXT) return true;
  }
  return false;
}

/** Whether a page of an origin may call. */
export type AllowedOrigin = (origin: string, request: ToolRequest) => boolean;

/** @returns a refusal of a request that never reaches the protocol; undefined if there is no reason to refuse it */
export function rejectInvalidRequest(
  request: ToolRequest,
  allowedOrigin?: AllowedOrigin,
): ToolResponse | undefined {
  const origin = headerOf(request, 'origin');
  if (origin !== undefined && allowedOrigin?.(origin, request) === false)
    return protocolError(403, REFUSED, 'Pages of this origin may not call');
  // Streams from the server (GET) and the end of a session (DELETE): there are neither.
  if (request.method !== 'POST')
    return protocolError(405, REFUSED, 'Method not allowed: send JSON-RPC by POST', { allow: 'POST' });
  if (!isJsonContentType(headerOf(request, 'content-type') ?? null))
    return protocolError(415, REFUSED, 'The body must be JSON, with Content-Type: application/json');
  if (request.body === undefined) return protocolError(400, PARSE_ERROR, 'The body is empty');
  if (isTooLarge(request.body))
    return protocolError(400, INVALID_REQUEST, 'The request holds far more than any tool takes');
  const messages = Array.isArray(request.body) ? request.body : [request.body];
  if (messages.some(hasFractionalId))
    return protocolError(400, INVALID_REQUEST, 'The id of a request must be a text or a whole number');
  return undefined;
}

/** The SDK repeats such an id in its refusal, which no schema of an answer allows. */
function hasFractionalId(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('id' in message)) return false;
  return typeof message.id === 'number' && !Number.isInteger(message.id);
}
