import { findJsonFault } from '@heliograph/kit';
import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
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
import { rejectInvalidRequest } from './reject-invalid-request.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { ToolServer, ToolServerOptions } from './tool-server.ts';

/** The only headers of a request that reach the SDK. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The SDK wants an address, and never looks at it. */
const ADDRESS = 'http://localhost/mcp';

/**
 * A request for the SDK, without its body. Its Accept header is always complete: simple
 * clients send none, and expect JSON.
 */
function toWebRequest(request: ToolRequest): Request {
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
async function fromWebResponse(response: Response): Promise<ToolResponse> {
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: type === null ? {} : { 'content-type': type },
    body: await response.text(),
  };
}

/** Messages in one batch at most: all of its calls run at once. */
const MAX_BATCH = 16;

/** Parameters that one refusal names at most. */
const MAX_NAMED = 5;

/** Whether a request is of a revision before that of 2026-07-28, as those of simple clients are that name none. */
function isLegacyRevision(request: ToolRequest): boolean {
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
async function serveLegacyRevision(request: ToolRequest, createServer: () => Server): Promise<ToolResponse> {
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

/** Longest text of arguments that is read as JSON, in characters. */
const MAX_JSON_LENGTH = 20_000;

/**
 * A message, or each of a batch, without what programs write in place of a field that they leave out: null and, for the
 * arguments of a call, an empty text. Arguments that are a text of JSON are read.
 */
function usualMessage(body: unknown): unknown {
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

/** The SDK wants one for what servers ask of users, which ours never do; making its own for each request is slow. */
const NO_VALIDATOR = {
  getValidator() {
    throw new Error('Nothing is asked of users here');
  },
};

/** Tools change with the server's version, and differ by caller. */
const CACHE_HINT = { ttlMs: 5 * 60 * 1000, cacheScope: 'private' } as const;

/**
 * Serves tools over the Model Context Protocol's streamable HTTP, without sessions: every request stands for itself,
 * so that `tools/list` and `tools/call` need no handshake. Speaks the revision of 2026-07-28 and those before it,
 * answers in JSON and never opens a stream.
 */
export function createProtocolServer<Context>(
  calls: ToolCalls<Context>,
  options: ToolServerOptions<Context>,
): Pick<ToolServer<Context>, 'handle'> {
  const contexts = new WeakMap<Request, Context>();
  const current = createMcpHandler(
    ({ requestInfo }) => {
      const context = requestInfo && contexts.get(requestInfo);
      if (context === undefined) throw new Error('The request has no context');
      return serverFor(context);
    },
    { legacy: 'reject' },
  );

  function serverFor(context: Context): Server {
    const server = new Server(
      { name: options.name, version: options.version },
      {
        capabilities: { tools: {} },
        instructions: options.instructions,
        cacheHints: { 'tools/list': CACHE_HINT, 'server/discover': CACHE_HINT },
        jsonSchemaValidator: NO_VALIDATOR,
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: calls.list(context) }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const result = await calls.call(params.name, params.arguments ?? {}, context);
      if (result !== undefined) return result;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 100)}`);
    });
    return server;
  }

  return {
    async handle(given, context) {
      const refused = rejectInvalidRequest(given, options.allowedOrigin);
      if (refused !== undefined) return refused;
      const request = { ...given, body: usualMessage(given.body) };
      if (isLegacyRevision(request)) return serveLegacyRevision(request, () => serverFor(context));
      const webRequest = toWebRequest(request);
      contexts.set(webRequest, context);
      return fromWebResponse(await current.fetch(webRequest, { parsedBody: request.body }));
    },
  };
}
