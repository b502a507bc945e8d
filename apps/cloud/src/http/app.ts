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
import { servedUrl } from '../portal/api-paths.ts';
import type { App } from './app-type.ts';
import { acceptJsonOnly, BODY_LIMIT } from './bodies.ts';
import { allowAnyOrigin } from './cors.ts';
import { keepDeadline } from './deadline.ts';
import { endConnectionsOnStop } from './drain.ts';
import { answerErrors } from './errors.ts';
import { keepNothing } from './keeping.ts';
import { refuseOtherMethods } from './methods.ts';
import { compileValidator } from './validator.ts';

/** How long a client may take to send a request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The HTTP server with everything that holds for every route, and no routes. */
export function createApp(logger: Logger, trustedProxies: readonly string[]): App {
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
    rewriteUrl: ({ url = '/' }) => servedUrl(url),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  // Presenters list what leaves the house, and types hold them to the schema: texts alone are looked at here.
  app.setSerializerCompiler(() => cleanJson);
  app.setReplySerializer(cleanJson);
  keepDeadline(app);
  endConnectionsOnStop(app);
  app.addHook('onRequest', async ({ raw }) => requireOneHost(raw));
  allowAnyOrigin(app);
  keepNothing(app);
  refuseOtherMethods(app);
  acceptJsonOnly(app);
  answerErrors(app);
  return app;
}

/** Paths that are not percent-encoded UTF-8 never reach a route. */
function refuseUrl(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  reply.code(400).send({ error: 'The URL cannot be read' });
}
