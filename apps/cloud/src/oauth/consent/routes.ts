import { portalOperations } from '@heliograph/contracts/operations/portal';
import { Api, WITHOUT_TOKENS } from '@heliograph/http/api';
import { Unauthorized } from '@heliograph/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { requireOwnPage } from '../../identity/own-pages.ts';
import { PRIVATE } from '../../portal/private.ts';
import { sessionTokenIn } from '../../portal/session-cookie.ts';
import { type AuthorizationRequest, authorizationRequest } from './authorization-request.ts';
import {
  allowConsent,
  type ConsentPlatform,
  denyConsent,
  getConsentRequest,
  isSignedInFor,
  listConsentSites,
  personBehind,
  requireShown,
} from './consent.ts';

type ConsentHttp = FastifyRequest<{ Params: { uid: string } }>;

/**
 * Endpoints of the consent page; signing in is the portal's. The browser sends two cookies: one that ties the
 * authorization to it, for these paths alone, and the session cookie.
 */
export function consentRoutes(app: App, platform: ConsentPlatform): void {
  const authorizationOf = (request: ConsentHttp, reply: FastifyReply) =>
    authorizationRequest(platform, request.params.uid, request.raw, reply.raw);
  const person = (request: FastifyRequest) =>
    personBehind(platform, sessionTokenIn(request.headers.cookie), clientAddressFrom(request.ip));
  const personFor = async (authorization: AuthorizationRequest, request: FastifyRequest) => {
    const found = await person(request);
    if (found === undefined || !isSignedInFor(authorization, found)) throw new Unauthorized('Sign in first');
    return found;
  };

  // Its own context, because its hook is for these routes alone.
  app.register(async (own: App) => {
    own.addHook('onRequest', async (request, reply) => {
      reply.headers(PRIVATE);
      await requireOwnPage(platform, request);
    });

    const api = new Api(own, WITHOUT_TOKENS);

    api.serve(portalOperations.getConsentRequest, async (request, reply) =>
      getConsentRequest(platform, await authorizationOf(request, reply), await person(request)),
    );

    api.serve(portalOperations.listConsentSites, async (request, reply) =>
      listConsentSites(
        platform,
        await personFor(await authorizationOf(request, reply), request),
        request.query,
      ),
    );

    api.serve(portalOperations.allowConsent, async (request, reply) => {
      const authorization = await authorizationOf(request, reply);
      const { site_id: siteId = null, email } = request.body;
      const found = await personFor(authorization, request);
      if (email !== undefined) await requireShown(platform, found, email);
      return { location: await allowConsent(platform, authorization, found, siteId) };
    });

    api.serve(portalOperations.denyConsent, async (request, reply) => ({
      location: await denyConsent(await authorizationOf(request, reply)),
    }));
  });
}
