import { Forbidden, type Logger } from '@heliograph/kit';
import type { ToolResponse } from '@heliograph/mcp';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../access/caller.ts';
import type { SiteSources } from '../../mcp/site-sources.ts';
import { answerTo } from '../error-handler.ts';
import type { Admit } from '../guards.ts';
import { originOf } from '../pages/origin.ts';
import { isOwnPage } from '../pages/own-page.ts';
import type { Alerting } from './alert-routes.ts';

export interface McpRouteOptions extends Omit<SiteSources, 'startedAtMonotonicMs' | 'alerts'> {
  readonly alerting: Alerting;
  readonly logger: Logger;
}

/**
 * Paths of the MCP server: the proxy has the API's path, and a path of the proxy works on the device too. Some programs add a
 * slash, and a redirect would lose the body or the token of many.
 */
const PATHS = ['/mcp', '/api/v1/mcp'].flatMap((path) => [path, `${path}/`]);

/** The Model Context Protocol server: tools that read, for callers that may read. */
export function mcpRoutes(app: FastifyInstance, admit: Admit, options: McpRouteOptions): void {
  const { snapshots, history, energy, alerting, writes, calendar, energyToday, clock, logger } = options;
  const sources: SiteSources = {
    snapshots,
    history,
    energy,
    alerts: alerting.alerts,
    writes,
    calendar,
    energyToday,
    clock,
    startedAtMonotonicMs: clock.monotonic(),
  };
  // Loaded at the first request: the protocol takes megabytes, which most devices never need.
  let loading: ReturnType<typeof load> | undefined;
  async function load() {
    const { createSiteToolServer, malformed } = await import('../../mcp/site-tool-server.ts');
    return { server: createSiteToolServer(sources, logger), malformed };
  }
  const loaded = () => (loading ??= load());

  // Its own context, because a body that is no JSON has an answer of its own here.
  app.register(async (own) => {
    own.setErrorHandler(async (error: FastifyError, _request, reply) => {
      const { status, message } = answerTo(error);
      if (status !== 400 && status !== 415) throw error;
      return send(reply, (await loaded()).malformed(status, message));
    });
    for (const url of PATHS) {
      own.route({
        method: ['GET', 'POST', 'DELETE'],
        url,
        onRequest: [refuseForeignPages, admit],
        handler: async (request, reply) => {
          const { method, headers, body } = request;
          const { server } = await loaded();
          const caller = request.getDecorator<Caller>('caller');
          return send(reply, await server.handle({ method, headers, body }, caller));
        },
      });
    }
  });
}

/**
 * On the network of the home a page must not get here under a name of its own (DNS rebinding). Through the proxy any
 * page may call, as it may the API: it needs a site token of its own, which no browser adds by itself.
 *
 * @throws Forbidden
 */
async function refuseForeignPages({ raw, headers }: FastifyRequest): Promise<void> {
  if (originOf(raw).via === 'lan' && !isOwnPage(headers))
    throw new Forbidden('Pages of other origins may not call');
}

function send(reply: FastifyReply, { status, headers, body }: ToolResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
