import { headerOf, type ToolRequest, type ToolResponse } from './json-rpc.ts';

/** What the protocol says in headers; nothing else of a request reaches the SDK. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The SDK wants an address, and never looks at it. */
const ADDRESS = 'http://localhost/mcp';

/**
 * A request as the SDK takes it, without its body. It accepts what the SDK answers, whether it says so or not: simple
 * clients send no Accept header, and JSON is what they expect.
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
