import { BadRequest, UnsupportedMediaType } from '@heliograph/kit';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressFrom } from '../../common/client-address.ts';
import { SERVICE_NAME } from '../../common/config/env.ts';
import { TooManyRequests } from '../../common/errors.ts';
import type { App } from '../../http/app-type.ts';
import type { Platform } from '../../platform.ts';
import { AGENT_SCOPES, MCP_PATHS, mcpResource, RESOURCE_METADATA } from './challenge.ts';
import { InvalidAgentMetadata } from './errors.ts';
import { registerAgent } from './registration.ts';

/** Largest registration, in bytes. */
const REGISTRATION_LIMIT = 16 * 1024;

/** Discovery for agents that know the cloud's address alone: the token endpoint, and registration. */
export function oauthAgentRoutes(app: App, platform: Platform, registrationPath: string): void {
  const { cloudUrl } = platform;
  const describe = (path: string, resource: () => string) =>
    app.get(path, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600');
      return resourceMetadata(resource(), cloudUrl());
    });
  for (const path of MCP_PATHS) describe(RESOURCE_METADATA + path, () => cloudUrl() + path);
  // Without the resource's path, as an older revision of MCP had it.
  for (const path of ['', '/']) describe(RESOURCE_METADATA + path, () => mcpResource(cloudUrl()));
  app.post(
    registrationPath,
    { bodyLimit: REGISTRATION_LIMIT, errorHandler: answerRefusal },
    async (request, reply) => {
      const registered = await registerAgent(platform, clientAddressFrom(request.ip), request.body);
      return reply.code(201).header('cache-control', 'no-store').send(registered);
    },
  );
}

/** The MCP server's metadata as a resource (RFC 9728). */
function resourceMetadata(resource: string, cloudUrl: string) {
  return {
    resource,
    resource_name: SERVICE_NAME,
    authorization_servers: [cloudUrl],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${cloudUrl}/docs`,
  };
}

/** Refusals as RFC 7591 has them; all else as everywhere. */
function answerRefusal(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof TooManyRequests) {
    const body = { error: 'temporarily_unavailable', error_description: error.message };
    reply.code(429).header('retry-after', error.retryAfterS).send(body);
    return;
  }
  if (!(error instanceof BadRequest || error instanceof UnsupportedMediaType)) throw error;
  const name = error instanceof InvalidAgentMetadata ? error.error : 'invalid_client_metadata';
  reply.code(error.status).send({ error: name, error_description: error.message });
}
