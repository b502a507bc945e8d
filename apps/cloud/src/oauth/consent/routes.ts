import {
  AllowBody,
  ConsentAnswer,
  ConsentParams,
  ConsentRequest,
  ConsentSignInBody,
  ConsentSite,
  ConsentSitesQuery,
} from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { visitorFrom } from '../../visitor.ts';
import { CONSENT_PATH } from '../configuration.ts';
import { type AuthorizationRequest, authorizationRequest } from './authorization-request.ts';
import { type ConsentDesk, isSignedInFor } from './desk.ts';
import { requireOwnPage } from './own-page.ts';
import { FORGET_SESSION_COOKIE, sessionCookie, sessionTokenIn } from './session-cookie.ts';

type ConsentHttp = FastifyRequest<{ Params: { uid: string } }>;

const hidden = { hide: true, params: ConsentParams };

/**
 * What the consent page calls. The browser shows two cookies: one that ties the authorization to it, for these paths
 * alone, and one that says who is signed in. So requests that change something must come from the page itself.
 */
export function consentRoutes(app: App, desk: ConsentDesk): void {
  const asked = (request: ConsentHttp, reply: FastifyReply) =>
    authorizationRequest(desk, request.params.uid, request.raw, reply.raw);
  const person = (request: FastifyRequest) =>
    desk.personBehind(sessionTokenIn(request.headers.cookie), visitorFrom(request.ip));
  const personFor = async (which: AuthorizationRequest, request: FastifyRequest) => {
    const found = await person(request);
    if (found === undefined || !isSignedInFor(which, found)) throw new Unauthorized('Sign in first');
    return found;
  };

  // Its own context, because its hook is for these routes alone.
  app.register(async (own: App) => {
    own.addHook('onRequest', async ({ method, headers }, reply) => {
      reply.header('cache-control', 'no-store');
      if (method === 'POST') requireOwnPage(headers, desk.origin());
    });

    own.get(
      `${CONSENT_PATH}/:uid/request`,
      { schema: { ...hidden, response: { 200: ConsentRequest } } },
      async (request, reply) => desk.show(await asked(request, reply), await person(request)),
    );

    own.post(
      `${CONSENT_PATH}/:uid/sign_in`,
      { schema: { ...hidden, body: ConsentSignInBody, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await asked(request, reply);
        const session = await desk.signIn(request.body, visitorFrom(request.ip));
        const before = await person(request);
        // The browser forgets its cookie, so nobody would end that session.
        if (before !== undefined) await desk.signOut(before);
        const lifetimeMs = Date.parse(session.expires_at) - desk.clock.now();
        return reply.header('set-cookie', sessionCookie(session.token, lifetimeMs)).code(204).send(null);
      },
    );

    own.post(
      `${CONSENT_PATH}/:uid/sign_out`,
      { schema: { ...hidden, response: { 204: Type.Null() } } },
      async (request, reply) => {
        const found = await person(request);
        if (found !== undefined) await desk.signOut(found);
        return reply.header('set-cookie', FORGET_SESSION_COOKIE).code(204).send(null);
      },
    );

    own.get(
      `${CONSENT_PATH}/:uid/sites`,
      { schema: { ...hidden, querystring: ConsentSitesQuery, response: { 200: Type.Array(ConsentSite) } } },
      async (request, reply) =>
        desk.sites(await personFor(await asked(request, reply), request), request.query),
    );

    own.post(
      `${CONSENT_PATH}/:uid/allow`,
      { ...asForm(AllowBody), schema: { ...hidden, body: AllowBody, response: { 200: ConsentAnswer } } },
      async (request, reply) => {
        const which = await asked(request, reply);
        const { site_id: siteId = null } = request.body;
        return { location: await desk.allow(which, await personFor(which, request), siteId) };
      },
    );

    own.post(
      `${CONSENT_PATH}/:uid/deny`,
      { schema: { ...hidden, response: { 200: ConsentAnswer } } },
      async (request, reply) => ({ location: await desk.deny(await asked(request, reply)) }),
    );
  });
}
