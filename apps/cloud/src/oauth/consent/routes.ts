import {
  AllowBody,
  ConsentAnswer,
  ConsentParams,
  ConsentRequest,
  ConsentSite,
  ConsentSitesQuery,
} from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import type { OwnPages } from '../../portal/own-pages.ts';
import { PRIVATE } from '../../portal/private.ts';
import { sessionTokenIn } from '../../portal/session-cookie.ts';
import { CONSENT_PATH } from '../configuration.ts';
import { type AuthorizationRequest, authorizationRequest } from './authorization-request.ts';
import { type ConsentService, isSignedInFor } from './service.ts';

type ConsentHttp = FastifyRequest<{ Params: { uid: string } }>;

const hidden = { hide: true, params: ConsentParams };

/**
 * What the consent page calls besides signing in, which is the portal's. The browser shows two cookies: one that ties the
 * authorization to it, for these paths alone, and one that says who is signed in.
 */
export function consentRoutes(app: App, desk: ConsentService, ownPages: OwnPages): void {
  const asked = (request: ConsentHttp, reply: FastifyReply) =>
    authorizationRequest(desk, request.params.uid, request.raw, reply.raw);
  const person = (request: FastifyRequest) =>
    desk.personBehind(sessionTokenIn(request.headers.cookie), clientAddressFrom(request.ip));
  const personFor = async (which: AuthorizationRequest, request: FastifyRequest) => {
    const found = await person(request);
    if (found === undefined || !isSignedInFor(which, found)) throw new Unauthorized('Sign in first');
    return found;
  };

  // Its own context, because its hook is for these routes alone.
  app.register(async (own: App) => {
    own.addHook('onRequest', async (request, reply) => {
      reply.headers(PRIVATE);
      await ownPages.require(request);
    });

    own.get(
      `${CONSENT_PATH}/:uid/request`,
      { schema: { ...hidden, response: { 200: ConsentRequest } } },
      async (request, reply) => desk.show(await asked(request, reply), await person(request)),
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
        const { site_id: siteId = null, email } = request.body;
        const found = await personFor(which, request);
        if (email !== undefined) await desk.requireShown(found, email);
        return { location: await desk.allow(which, found, siteId) };
      },
    );

    own.post(
      `${CONSENT_PATH}/:uid/deny`,
      { schema: { ...hidden, response: { 200: ConsentAnswer } } },
      async (request, reply) => ({ location: await desk.deny(await asked(request, reply)) }),
    );
  });
}
