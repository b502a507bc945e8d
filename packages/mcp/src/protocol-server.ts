import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { isLegacyRevision, serveLegacyRevision } from './legacy-revisions.ts';
import { rejectInvalidRequest } from './reject-invalid-request.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { ToolServer, ToolServerOptions } from './tool-server.ts';
import { usualMessage } from './usual-message.ts';
import { fromWebResponse, toWebRequest } from './web.ts';

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
