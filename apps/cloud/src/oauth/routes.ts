import type { IncomingMessage } from 'node:http';
import { acceptForms, BODY_LIMIT } from '@heliograph/http/bodies';
import { errorCodes, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../http/app-type.ts';
import { ROUTES } from './configuration.ts';
import type { OAuthServer } from './server.ts';

const DISCOVERY = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

/** Largest authorization request as a form, in bytes: it becomes a link, and heads of requests have a limit of their own. */
const AUTHORIZATION_LIMIT = 8 * 1024;

/** Routes that the OAuth server answers itself from the socket, as it parses bodies and cookies in its own way. */
export function oauthRoutes(app: App, server: OAuthServer, cloudUrl: () => string): void {
  // Its own context, because what the API takes for bodies does not hold here.
  app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', (request, _payload, done) => {
      const isTooLarge = Number(request.headers['content-length']) > BODY_LIMIT;
      done(isTooLarge ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : null);
    });
    own.setErrorHandler(answerTooLarge);
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      asPublic(request.raw, cloudUrl(), request.ip);
      await server.handle(request.raw, reply.raw);
    };
    const route = (method: string, url: string) =>
      // Asking for the head of a page must not begin an authorization.
      own.route({ method, url, exposeHeadRoute: false, handler });

    for (const url of [...DISCOVERY, ROUTES.jwks]) {
      route('GET', url);
      route('OPTIONS', url);
    }
    own.route({
      method: 'GET',
      url: ROUTES.authorization,
      exposeHeadRoute: false,
      handler: (request, reply) => {
        request.raw.url = usualRequest(request.raw.url ?? '');
        return handler(request, reply);
      },
    });
    route('GET', `${ROUTES.authorization}/:uid`);
    for (const url of [ROUTES.userinfo, ROUTES.revocation]) {
      route('POST', url);
      route('OPTIONS', url);
    }
    route('GET', ROUTES.userinfo);
    // No preflight: a form is a simple request, and no client needs to send anything else.
    route('POST', ROUTES.token);
  });
  acceptFormAtAuthorization(app);
}

/** A body over the limit, as RFC 6749, 5.2 has refusals; all else as everywhere. */
function answerTooLarge(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  if (error.statusCode !== 413) throw error;
  reply.code(413).send({ error: 'invalid_request', error_description: 'The body is too large' });
}

/**
 * A request may come as a form, too (OpenID Connect Core, 3.1.2.1). Browsers leave our cookies out of what a page of
 * another site posts, so it is asked again as the link that it could have been.
 */
function acceptFormAtAuthorization(app: App): void {
  app.register(async (own) => {
    acceptForms(own, AUTHORIZATION_LIMIT);
    own.post(ROUTES.authorization, ({ body }, reply) => {
      const parameters = new URLSearchParams(typeof body === 'string' ? body : '');
      return reply.redirect(`${ROUTES.authorization}?${parameters}`, 303);
    });
  });
}

/** Prompts that the page of each authorization has anyway: the person chooses the account there, or creates one. */
const PROMPTS_OF_THE_PAGE: ReadonlySet<string> = new Set(['select_account', 'create']);

/**
 * The path and query of an authorization without prompts that the server would refuse, and with one space between the members
 * of a list: some programs add others.
 */
function usualRequest(url: string): string {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at));
  const isUsual = [
    replaceList(query, 'scope', (scopes) => scopes),
    replaceList(query, 'prompt', (prompts) => prompts.filter((prompt) => !PROMPTS_OF_THE_PAGE.has(prompt))),
  ].every((replaced) => !replaced);
  return isUsual ? url : `${url.slice(0, at)}?${query}`;
}

/** @returns whether the parameter was another one; one that was sent twice is left for the server to refuse */
function replaceList(
  query: URLSearchParams,
  name: string,
  choose: (listed: readonly string[]) => readonly string[],
): boolean {
  const [sent, ...others] = query.getAll(name);
  if (sent === undefined || others.length > 0) return false;
  const listed = choose(sent.split(' ').filter(Boolean)).join(' ');
  if (listed === sent) return false;
  if (listed === '') query.delete(name);
  else query.set(name, listed);
  return true;
}

/**
 * The server derives addresses from a request's host. The operator's setting alone is the cloud's address, so it replaces
 * the host of every request.
 */
function asPublic(request: IncomingMessage, cloudUrl: string, ip: string): void {
  const { host, protocol } = new URL(cloudUrl);
  request.headers.host = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.headers['x-forwarded-for'] = ip;
  delete request.headers['x-forwarded-host'];
}
