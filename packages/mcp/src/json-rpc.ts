/** A request as an HTTP server has it. */
export interface ToolRequest {
  readonly method: string;
  /** Names in lower case, as Node has them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON; undefined for an empty body. */
  readonly body: unknown;
}

/** An answer that is complete: nothing is streamed. */
export interface ToolResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The codes of JSON-RPC 2.0 for what never reaches a tool. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;

/** Of the codes that JSON-RPC leaves to servers, the one that the protocol's own SDKs refuse requests with. */
export const REFUSED = -32_000;

/**
 * An error about a request as a whole, as servers answer it themselves when a body cannot be parsed. Whose answer it
 * would be is unknown, so that its id is null.
 *
 * @param status of HTTP
 * @param code of JSON-RPC
 */
export function protocolError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ToolResponse {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** A header's value; the first where it was sent more than once. */
export function headerOf({ headers }: ToolRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}
