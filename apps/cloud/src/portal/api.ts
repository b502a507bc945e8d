import { Session, SessionTokenAnswer } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/app-type.ts';
import { markFromPortal } from '../http/guards.ts';
import { requireOwnPage } from '../identity/own-pages.ts';
import type { IdentityPlatform } from '../identity/platform.ts';
import { isLongInvalid } from '../identity/tokens/authentication.ts';
import { PRIVATE } from './private.ts';
import { FORGET_SESSION_COOKIE, sessionTokenIn } from './session-cookie.ts';

/** Prefix of paths at which the cookie replaces the token. */
const PORTAL_API = '/portal/api/';

/** Prefix of the operations of the API for the pages of the portal. */
const EVERY_OPERATION = '/portal/api/v1/';

/** Answers with tokens that sign in elsewhere: no script of a page may receive them. */
const TOKEN_ANSWERS: readonly unknown[] = [Session, SessionTokenAnswer];

/**
 * The API for pages of the service: every operation is below `/portal/api/v1` too, and beside it those of the pages alone.
 * The browser's cookie replaces the token. Only here the API accepts a cookie, and only from the service's own pages.
 */
export function portalApi(app: App, platform: IdentityPlatform): void {
  app.decorateRequest('sessionToken');

  app.addHook('onRequest', async (request, reply) => {
    if (!isPortalApi(request.originalUrl)) return;
    reply.headers(PRIVATE);
    await requireOwnPage(platform, request);
    if (answersWithToken(request))
      throw new Forbidden('The pages of this service sign in and out below /portal');
    const { headers } = request.raw;
    const token = sessionTokenIn(headers.cookie);
    request.setDecorator('sessionToken', token);
    delete headers.cookie;
    if (token === undefined) delete headers.authorization;
    else headers.authorization = `Bearer ${token}`;
    markFromPortal(request);
  });

  app.addHook('onSend', async (request, reply) => {
    if (!isPortalApi(request.originalUrl)) return;
    // Operations with public answers have set other headers.
    reply.headers(PRIVATE);
    if (reply.statusCode === 401) await forgetSession(request, reply);
  });

  async function forgetSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = request.getDecorator<string | undefined>('sessionToken');
    if (token === undefined || !(await isLongInvalid(platform, token))) return;
    reply.header('set-cookie', FORGET_SESSION_COOKIE);
  }
}

/** Checks the route and not the path, which has several spellings. */
function answersWithToken({ routeOptions }: FastifyRequest): boolean {
  return Object.values(routeOptions.schema?.response ?? {}).some((answer) => TOKEN_ANSWERS.includes(answer));
}

/**
 * Whether a request was sent to the API of the portal.
 *
 * @param url as it was sent; another spelling of the path matches no route
 */
function isPortalApi(url: string): boolean {
  return url.startsWith(PORTAL_API);
}

/** The path that is served: that of the operation, for the API of the portal. */
export function servedUrl(url: string): string {
  return url.startsWith(EVERY_OPERATION) ? url.slice('/portal'.length) : url;
}
