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
import { isTooLarge } from './size.ts';

/** Whether a page of an origin may call. */
export type AllowedOrigin = (origin: string, request: ToolRequest) => boolean;

/** What is refused before the protocol is looked at; undefined when nothing is. */
export function rejectEarly(request: ToolRequest, allowedOrigin?: AllowedOrigin): ToolResponse | undefined {
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
  return undefined;
}
