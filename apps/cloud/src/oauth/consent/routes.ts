import {
  AllowBody,
  ConsentAnswer,
  ConsentParams,
  ConsentRequest,
  ConsentSignInBody,
  ConsentSite,
  ConsentSitesQuery,
} from '@heliograph/contracts';
import { Forbidden, Unauthorized } from '@heliograph/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { visitorFrom } from '../../visitor.ts';
import { CONSENT_PATH } from '../configuration.ts';
import { authorizationRequest } from './authorization-request.ts';
import type { ConsentDesk } from './desk.ts';
import { FORGET_SESSION_COOKIE, sessionCookie, sessionTokenIn } from './session-cookie.ts';

const hidden = { hide: true, params: ConsentParams };

/**
 * What the consent page calls. The browser shows two cookies: one that ties the authorization to it, for these paths
 * alone, and one that says who is signed in. So requests that change something must come from the page itself.
 */
export function consentRoutes(app: App, desk: ConsentDesk): void {
  type ConsentHttp = FastifyRequest<{ Params: { uid: string } }>;
  const asked = (request: ConsentHttp, reply: FastifyReply) =>
    authorizationRequest(desk, request.params.uid, request.raw, reply.raw);
  const person = (request: FastifyRequest) =>
    desk.personBehind(sessionTokenIn(request.headers.cookie), visitorFrom(request.ip));
  const mustBeSomebody = async (request: FastifyRequest) => {
    const found = await person(request);
    if (found === undefined) throw new Unauthorized('Sign in first');
    return found;
  };
  const onlyFromOwnPage = async ({ headers }: FastifyRequest) => {
    if (headers.origin !== desk.origin()) throw new Forbidden('Only the consent page may do this');
  };

  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.startsWith(`${CONSENT_PATH}/`)) reply.header('cache-control', 'no-store');
  });

  app.get(
    `${CONSENT_PATH}/:uid/request`,
    { schema: { ...hidden, response: { 200: ConsentRequest } } },
    async (request, reply) => desk.show(await asked(request, reply), await person(request)),
  );

  app.post(
    `${CONSENT_PATH}/:uid/sign_in`,
    {
      onRequest: onlyFromOwnPage,
      schema: { ...hidden, body: ConsentSignInBody, response: { 200: ConsentRequest } },
    },
    async (request, reply) => {
      const which = await asked(request, reply);
      const visitor = visitorFrom(request.ip);
      const session = await desk.signIn(request.body, visitor);
      reply.header('set-cookie', sessionCookie(session.token, new Date(session.expires_at)));
      return desk.show(which, await desk.personBehind(session.token, visitor));
    },
  );

  app.post(
    `${CONSENT_PATH}/:uid/sign_out`,
    { onRequest: onlyFromOwnPage, schema: { ...hidden, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { caller } = (await person(request)) ?? {};
      if (caller !== undefined) await desk.signOut(caller);
      return reply.header('set-cookie', FORGET_SESSION_COOKIE).code(204).send(null);
    },
  );

  app.get(
    `${CONSENT_PATH}/:uid/sites`,
    { schema: { ...hidden, querystring: ConsentSitesQuery, response: { 200: Type.Array(ConsentSite) } } },
    async (request, reply) => {
      await asked(request, reply);
      return desk.sites((await mustBeSomebody(request)).caller, request.query);
    },
  );

  app.post(
    `${CONSENT_PATH}/:uid/allow`,
    {
      onRequest: onlyFromOwnPage,
      ...asForm(AllowBody),
      schema: { ...hidden, body: AllowBody, response: { 200: ConsentAnswer } },
    },
    async (request, reply) => {
      const which = await asked(request, reply);
      return {
        location: await desk.allow(which, await mustBeSomebody(request), request.body.site_id ?? null),
      };
    },
  );

  app.post(
    `${CONSENT_PATH}/:uid/deny`,
    { onRequest: onlyFromOwnPage, schema: { ...hidden, response: { 200: ConsentAnswer } } },
    async (request, reply) => ({ location: await desk.deny(await asked(request, reply)) }),
  );
}
