import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { cleanJson } from '@heliograph/contracts';
import { answerMalformedRequest, type Logger, requireOneHost } from '@heliograph/kit';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { App } from './app-type.ts';
import { acceptJsonOnly, BODY_LIMIT } from './bodies.ts';
import { forbidCaching } from './caching.ts';
import { allowAnyOrigin } from './cors.ts';
import { enforceDeadline } from './deadline.ts';
import { endConnectionsOnStop } from './drain.ts';
import { handleErrors } from './errors.ts';
import { refuseOtherMethods } from './methods.ts';
import { compileValidator } from './validator.ts';

/** How long a client may take to send a request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface AppOptions {
  readonly logger: Logger;
  /** Addresses and networks of reverse proxies whose `X-Forwarded-*` headers count. */
  readonly trustedProxies: readonly string[];
  /** The path that the router looks up for a path as it was sent. */
  rewriteUrl(url: string): string;
}

/** The HTTP server with everything that applies to every route, and no routes. */
export function createApp({ logger, trustedProxies, rewriteUrl }: AppOptions): App {
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Missing hosts are refused where two of them are.
    http: { requireHostHeader: false },
    clientErrorHandler: answerMalformedRequest,
    // A token in a path is judged by its operation, however long it is.
    routerOptions: { maxParamLength: 4096 },
    frameworkErrors: refuseUrl,
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  // Presenters list what leaves the house, and types hold them to the schema: texts alone are looked at here.
  app.setSerializerCompiler(() => cleanJson);
  app.setReplySerializer(cleanJson);
  enforceDeadline(app);
  endConnectionsOnStop(app);
  app.addHook('onRequest', async ({ raw }) => requireOneHost(raw));
  allowAnyOrigin(app);
  forbidCaching(app);
  refuseOtherMethods(app);
  acceptJsonOnly(app);
  handleErrors(app);
  return app;
}

/** Paths that are not percent-encoded UTF-8 never reach a route. */
function refuseUrl(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  reply.code(400).send({ error: 'The URL cannot be read' });
}
