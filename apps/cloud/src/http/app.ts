import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cleanJson } from '@heliograph/contracts';
import { acceptJson, BODY_LIMIT, NOT_STORABLE } from '@heliograph/http/bodies';
import { frameworkRefusal } from '@heliograph/http/framework-refusals';
import { refuseOtherMethods } from '@heliograph/http/methods';
import { observeRequests, REQUEST_IDS } from '@heliograph/http/observe-requests';
import { compileValidator } from '@heliograph/http/validator';
import {
  AddressList,
  answerMalformedRequest,
  BadRequest,
  type Logger,
  REQUEST_ID,
  requireOneHost,
} from '@heliograph/kit';
import type { RequestObserver } from '@heliograph/telemetry';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { Unavailable } from '../common/errors.ts';
import type { App } from './app-type.ts';
import { handleErrors } from './errors.ts';
import { readForwarded } from './forwarded.ts';

/** The API, its document, the MCP server, and the endpoints through which agents get a token for it. */
const OPEN_PATHS = [
  '/api/v1/',
  '/openapi.',
  '/mcp',
  '/.well-known/oauth-protected-resource',
  '/oauth/register',
];

/** Headers that clients send; further requested headers are allowed too. */
const CLIENT_HEADERS = ['Authorization', 'Content-Type', 'Site-Id', 'Site-Key'];

/** Cache lifetime of a preflight, in seconds. */
const PREFLIGHT_MAX_AGE_S = 24 * 60 * 60;

/**
 * Any origin may call the API with a bearer token, whatever its method and headers. No answer allows credentials,
 * so a browser never adds cookies of its own: a page of another origin has no more than any other client.
 *
 * The API of the portal, which accepts a cookie, has other paths and allows no origin.
 */
function allowAnyOrigin(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!OPEN_PATHS.some((path) => request.originalUrl.startsWith(path))) return;
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'Retry-After, WWW-Authenticate, X-Request-Id');
    if (request.method !== 'OPTIONS') return;
    const { 'access-control-request-headers': wanted } = request.headers;
    return reply
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': [...CLIENT_HEADERS, ...(wanted === undefined ? [] : [wanted])].join(
          ', ',
        ),
        'access-control-max-age': PREFLIGHT_MAX_AGE_S,
        vary: 'Access-Control-Request-Headers',
      })
      .code(204)
      .send();
  });
}

/** How long a client may take to send a request, in milliseconds: for 256 KiB at 64 kbit/s. */
export const REQUEST_TIMEOUT_MS = 60_000;

export interface AppOptions {
  readonly logger: Logger;
  readonly observer: RequestObserver;
  /** Receives each error of the database that a request failed with. */
  readonly onOutage: (error: unknown) => void;
  /** Addresses and networks of reverse proxies whose forwarding headers count. */
  readonly trustedProxies: readonly string[];
  /** The path that the router looks up for a path as it was sent. */
  rewriteUrl(url: string): string;
}

/** The HTTP server with everything that applies to every route, and no routes. */
export function createApp({ logger, observer, onOutage, trustedProxies, rewriteUrl }: AppOptions): App {
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines have the id of their request from its context.
    childLoggerFactory: (parent) => parent,
    ...REQUEST_IDS,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // `requireOneHost` refuses missing hosts.
    http: { requireHostHeader: false },
    clientErrorHandler: answerMalformedRequest,
    // The operation validates a token in its path, however long it is.
    routerOptions: { maxParamLength: 4096 },
    frameworkErrors: refuseUrl,
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
  });
  app.setValidatorCompiler(compileValidator);
  // Presenters list the fields of answers, and types check them against the schema: only texts are cleaned here.
  app.setSerializerCompiler(() => cleanJson);
  app.setReplySerializer(cleanJson);
  readForwarded(app, new AddressList(trustedProxies));
  observeRequests(app, observer);
  enforceDeadline(app);
  endConnectionsOnStop(app);
  app.addHook('onRequest', async ({ raw }) => requireOneHost(raw));
  allowAnyOrigin(app);
  forbidCaching(app);
  // The specification's clients expect 404 of a preflight for the token endpoint.
  refuseOtherMethods(app, ['/oauth/token']);
  acceptJson(app);
  requireStorableText(app);
  handleErrors(app, onOutage);
  return app;
}

/** Paths that are not percent-encoded UTF-8 never reach a route. */
function refuseUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message } = frameworkRefusal(error) ?? { status: 400, message: 'The URL cannot be read' };
  reply.code(status).header(REQUEST_ID, request.id).send({ error: message });
}

/**
 * Forbids caches to store, and browsers to sniff, answers of the API and the MCP server, which contain tokens and
 * private data. Routes with public answers override the header.
 */
function forbidCaching(app: App): void {
  app.addHook('onRequest', async ({ url }, reply) => {
    if (!url.startsWith('/api/v1/') && !url.startsWith('/mcp')) return;
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
  });
}

/** How long a request may wait for its answer, in milliseconds. */
const DEADLINE_MS = 12_000;
const RETRY_S = 2;

/**
 * Answers 503 when a request waits too long, as when the database is silent through several statements. The request may
 * still succeed afterwards: clients check before they retry.
 *
 * Fastify's own `handlerTimeout` is no help: it forgets a request as soon as its body has been read.
 */
function enforceDeadline(app: App): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const start = (request: FastifyRequest, reply: FastifyReply) => {
    clearTimeout(timers.get(request));
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(new Unavailable('Temporarily unavailable', RETRY_S));
    }, DEADLINE_MS);
    timers.set(request, timer);
    reply.raw.once('close', () => clearTimeout(timer));
  };
  app.addHook('onRequest', async (request, reply) => start(request, reply));
  // A large body arrives at the pace of its admission instead.
  app.addHook('preParsing', async (request) => {
    if (isLarge(request)) clearTimeout(timers.get(request));
  });
  app.addHook('preValidation', async (request, reply) => {
    if (isLarge(request)) start(request, reply);
  });
}

/** Whether a slow connection may need longer than an answer may take, for the body of a route. */
function isLarge({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.bodyLimit ?? 0) > BODY_LIMIT;
}

/**
 * Closes each connection after the answer under way when the server stops, which otherwise waits until clients close
 * their idle connections, and at the stop those that are answered while the client still sends: a body that stalls
 * would keep the server.
 *
 * Sets the header on the socket's response, because the framework does not answer every request.
 */
function endConnectionsOnStop(app: App): void {
  const inFlight = new Set<ServerResponse>();
  const stillSending = new Set<Socket>();
  let stopping = false;
  app.addHook('onRequest', async ({ raw: request }, { raw: response }) => {
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      const { socket } = request;
      if (request.complete || socket.destroyed) return;
      if (stopping) return socket.destroySoon();
      stillSending.add(socket);
      const forget = () => {
        stillSending.delete(socket);
        socket.off('close', forget);
      };
      // A request whose answer is sent is not closed together with its connection.
      request.once('close', forget);
      socket.once('close', forget);
    });
    if (stopping) endConnection(response);
  });
  app.addHook('preClose', async () => {
    stopping = true;
    for (const response of inFlight) endConnection(response);
    for (const socket of stillSending) socket.destroy();
  });
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Refuses paths and queries with text that PostgreSQL cannot store; the parser of bodies does so for these. */
function requireStorableText(app: App): void {
  app.addHook('preValidation', async ({ query, params }) => {
    if (![query, params].every(isStorable)) throw new BadRequest(NOT_STORABLE);
  });
}

/** @param parameters texts by name, or several of the same name */
function isStorable(parameters: unknown): boolean {
  const texts = Object.entries(parameters ?? {}).flat(2);
  return texts.every((text) => typeof text !== 'string' || (!text.includes('\0') && text.isWellFormed()));
}
