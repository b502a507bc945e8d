import { frameworkRefusal } from '@heliograph/http/framework-refusals';
import { BadRequest, Forbidden, Unauthorized, UnsupportedMediaType } from '@heliograph/kit';
import { PARSE_ERROR, protocolError, type ToolResponse } from '@heliograph/mcp';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { clientAddressFrom } from '../common/client-address.ts';
import type { App } from '../http/app-type.ts';
import { bearerToken } from '../http/guards.ts';
import { authenticate } from '../identity/tokens/authentication.ts';
import { MCP_PATHS, mcpChallenge } from '../oauth/agents/challenge.ts';
import { type AgentPlatform, createAgentServer } from './server.ts';

/** `POST /mcp`: the MCP server. Refusals name the source of tokens. */
export function agentRoutes(app: App, platform: AgentPlatform): void {
  const server = createAgentServer(platform);
  const callers = new WeakMap<FastifyRequest, Caller>();

  // Its own context, because its errors have their own shape.
  app.register(async (own) => {
    own.setErrorHandler((error: FastifyError, request, reply) =>
      refuse(error, request, reply, platform.cloudUrl()),
    );
    for (const url of MCP_PATHS) {
      own.route({
        method: ['GET', 'POST', 'DELETE'],
        url,
        onRequest: async (request) => {
          refuseTokenInAddress(request);
          const clientAddress = clientAddressFrom(request.ip);
          const caller = await authenticate(platform, bearerToken(request), clientAddress, 'mcp');
          if (!server.hasToolsFor(caller)) throw new Forbidden('The token lacks the scopes of every tool');
          callers.set(request, caller);
        },
        handler: async (request, reply) => {
          const caller = callers.get(request);
          if (caller === undefined) throw new Error('The request was not authenticated');
          const { method, headers, body } = request;
          return send(reply, await server.handle({ method, headers, body }, caller));
        },
      });
    }
  });
}

/** Addresses end up in logs and histories (OAuth 2.1, 5.1.2). @throws BadRequest */
function refuseTokenInAddress({ query }: FastifyRequest): void {
  if (typeof query === 'object' && query !== null && 'access_token' in query)
    throw new BadRequest('Send the token in the header Authorization, not in the address');
}

function refuse(
  error: FastifyError,
  { headers, routeOptions: { url: path = '' } }: FastifyRequest,
  reply: FastifyReply,
  cloudUrl: string,
): FastifyReply {
  if (error instanceof Unauthorized) {
    const failure = { error: 'invalid_token', description: error.message } as const;
    reply.header(
      'www-authenticate',
      mcpChallenge(cloudUrl, path, headers.authorization ? failure : undefined),
    );
    return reply.code(401).send({ error: error.message });
  }
  if (error instanceof Forbidden) {
    const failure = { error: 'insufficient_scope', description: error.message } as const;
    reply.header('www-authenticate', mcpChallenge(cloudUrl, path, failure));
    return reply.code(403).send({ error: error.message });
  }
  // Errors of the body parser; those of tools are results.
  if (error instanceof BadRequest || error instanceof UnsupportedMediaType)
    return send(reply, protocolError(error.status, PARSE_ERROR, error.message));
  const refusal = frameworkRefusal(error);
  if (refusal?.status === 400) return send(reply, protocolError(400, PARSE_ERROR, refusal.message));
  // As everywhere.
  throw error;
}

function send(reply: FastifyReply, { status, headers, body }: ToolResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
