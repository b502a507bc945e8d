import { headerOf, type ToolRequest, type ToolResponse } from './json-rpc.ts';

/** The only headers of a request that reach the SDK. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The SDK wants an address, and never looks at it. */
const ADDRESS = 'http://localhost/mcp';

/**
 * A request for the SDK, without its body. Its Accept header is always complete: simple
 * clients send none, and expect JSON.
 */
export function toWebRequest(request: ToolRequest): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const name of PROTOCOL_HEADERS) {
    const value = headerOf(request, name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(ADDRESS, { method: 'POST', headers });
}

/** An answer of the SDK, when all of it is there. */
export async function fromWebResponse(response: Response): Promise<ToolResponse> {
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: type === null ? {} : { 'content-type': type },
    body: await response.text(),
  };
}
