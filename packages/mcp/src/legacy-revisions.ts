import {
  classifyInboundRequest,
  isJSONRPCRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import {
  headerOf,
  INVALID_PARAMS,
  INVALID_REQUEST,
  protocolError,
  type ToolRequest,
  type ToolResponse,
} from './json-rpc.ts';
import { fromWebResponse, toWebRequest } from './web.ts';

/** Messages in one batch at most: all of its calls run at once. */
const MAX_BATCH = 16;

/** Parameters that one refusal names at most. */
const MAX_NAMED = 5;

/** Whether a request is of a revision before that of 2026-07-28, as those of simple clients are that name none. */
export function isLegacyRevision(request: ToolRequest): boolean {
  const version = headerOf(request, 'mcp-protocol-version');
  const method = headerOf(request, 'mcp-method');
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body: request.body,
  });
  return kind === 'legacy';
}

/**
 * Answers in JSON what the SDK would answer as a stream of events, which only some of these clients read.
 *
 * @param createServer makes the server for this one request
 */
export async function serveLegacyRevision(
  request: ToolRequest,
  createServer: () => Server,
): Promise<ToolResponse> {
  const { body } = request;
  if (Array.isArray(body) && body.length > MAX_BATCH)
    return protocolError(400, INVALID_REQUEST, `A batch is at most ${MAX_BATCH} messages`);
  const messages = Array.isArray(body) ? body.filter(isJSONRPCRequest) : body;
  if (Array.isArray(messages)) {
    // Without sessions notifications are about nothing, and one that cancels a call of its batch leaves no answer.
    if (messages.length === 0) return { status: 202, headers: {}, body: '' };
    const ids = new Set(messages.map(({ id }) => id));
    if (ids.size < messages.length)
      return protocolError(400, INVALID_REQUEST, 'Each request of a batch has its own id');
  }
  const server = createServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const answer = await fromWebResponse(
      await transport.handleRequest(toWebRequest(request), { parsedBody: messages }),
    );
    return { ...answer, body: usualAnswer(answer.body, Array.isArray(messages)) };
  } finally {
    await server.close();
  }
}

/**
 * The SDK answers a batch of one without a list, and calls parameters that it cannot read an internal error, with all that
 * its schemas have to say.
 */
function usualAnswer(body: string, isBatch: boolean): string {
  if (body === '') return body;
  const read: unknown = JSON.parse(body);
  const answers = (Array.isArray(read) ? read : [read]).map(withCodeOfParams);
  return JSON.stringify(isBatch || Array.isArray(read) ? answers : answers[0]);
}

function withCodeOfParams(answer: { readonly error?: { readonly code: number; readonly message: string } }) {
  const { error } = answer;
  if (error === undefined || !error.message.includes('"code": "')) return answer;
  const paths = [...error.message.matchAll(/"path": \[([^\]]*)\]/g)].map(([, path = '']) =>
    [...path.matchAll(/"([^"]*)"/g)].map(([, name]) => name).join('.'),
  );
  const named = paths.filter((path) => path !== '').slice(0, MAX_NAMED);
  const message = ['Invalid params', ...(named.length > 0 ? [named.join(', ')] : [])].join(': ');
  return { ...answer, error: { code: INVALID_PARAMS, message } };
}
