import {
  PasskeyRequestOptions,
  PortalLinkBody,
  PortalPasskeyBody,
  PortalPasswordBody,
  PortalSession,
  PortalSignInBody,
  type Session,
} from '@heliograph/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { clientAddressFrom } from '../common/client-address.ts';
import type { Confirmations } from '../features/accounts/confirmations.ts';
import type { PasswordLinks } from '../features/accounts/password-links.ts';
import type { SignIn } from '../features/accounts/sign-in.ts';
import type { RelyingParties } from '../features/second-factor/service.ts';
import type { App } from '../http/app-type.ts';
import { asForm } from '../http/form.ts';
import type { OwnPages } from './own-pages.ts';
import { PRIVATE } from './private.ts';
import { FORGET_SESSION_COOKIE, sessionCookie, sessionTokenIn } from './session-cookie.ts';
import type { PortalSessions } from './sessions.ts';

export interface PortalServices {
  readonly confirmations: Confirmations;
  readonly passwordLinks: PasswordLinks;
  readonly signIn: SignIn;
  readonly ownPages: OwnPages;
  readonly relyingParties: RelyingParties;
  readonly portalSessions: PortalSessions;
}

const answer = { hide: true, response: { 200: PortalSession } };

/**
 * Signing in and out of browsers: operations that answer with a session in the API set a cookie here, which no script
 * can read. Pages call all other operations below `/portal/api/v1`.
 */
export function portalRoutes(app: App, services: PortalServices): void {
  const { confirmations, ownPages, passwordLinks, relyingParties, signIn } = services;
  const { portalSessions: sessions } = services;

  const show = ({ ip, host }: FastifyRequest, token: string | undefined) =>
    sessions.show(token, clientAddressFrom(ip), host);

  const enter = async (request: FastifyRequest, reply: FastifyReply, entering: Promise<Session>) => {
    const session = await entering;
    // The browser replaces its cookie, so that nothing else would end the former session.
    await sessions.end(sessionTokenIn(request.headers.cookie), clientAddressFrom(request.ip));
    reply.header('set-cookie', sessionCookie(session.token, sessions.lifetimeOf(session)));
    return show(request, session.token);
  };

  // Its own context, because its hook is for these routes alone.
  app.register(async (own: App) => {
    own.addHook('onRequest', async (request, reply) => {
      reply.headers(PRIVATE);
      await ownPages.require(request);
    });

    own.get('/portal/session', { schema: answer }, async (request, reply) => {
      const token = sessionTokenIn(request.headers.cookie);
      const session = await show(request, token);
      if (session.user === null && token !== undefined && (await sessions.hasEndedLongAgo(token))) {
        reply.header('set-cookie', FORGET_SESSION_COOKIE);
      }
      return session;
    });

    own.post('/portal/sign_in', { schema: { ...answer, body: PortalSignInBody } }, async (request, reply) =>
      enter(request, reply, sessions.signIn(request.body, clientAddressFrom(request.ip))),
    );

    own.post(
      '/portal/passkey/options',
      { schema: { hide: true, response: { 200: PasskeyRequestOptions } } },
      async (request) =>
        signIn.passkeyOptions(await relyingParties.of(request), clientAddressFrom(request.ip)),
    );

    own.post('/portal/passkey', { schema: { ...answer, body: PortalPasskeyBody } }, async (request, reply) =>
      enter(request, reply, signIn.withPasskey(request.body.passkey, clientAddressFrom(request.ip))),
    );

    own.post(
      '/portal/sign_out',
      { schema: { hide: true, response: { 204: Type.Null() } } },
      async ({ headers, ip }, reply) => {
        await sessions.end(sessionTokenIn(headers.cookie), clientAddressFrom(ip));
        return reply.header('set-cookie', FORGET_SESSION_COOKIE).code(204).send(null);
      },
    );

    own.post('/portal/confirm', { schema: { ...answer, body: PortalLinkBody } }, async (request, reply) => {
      const body = { ...request.body, organization_id: 'none' } as const;
      return enter(request, reply, confirmations.confirm(body, clientAddressFrom(request.ip)));
    });

    for (const [path, link] of [
      ['reset', 'reset'],
      ['set', 'invite'],
    ] as const) {
      own.post(
        `/portal/password/${path}`,
        { ...asForm(PortalPasswordBody), schema: { ...answer, body: PortalPasswordBody } },
        async (request, reply) => {
          const { token, ...password } = request.body;
          const body = { ...password, organization_id: 'none' } as const;
          return enter(request, reply, passwordLinks.use(link, token, body, clientAddressFrom(request.ip)));
        },
      );

      own.post(
        `/portal/password/${path}/check`,
        { schema: { hide: true, body: PortalLinkBody, response: { 204: Type.Null() } } },
        async ({ body: { token }, ip }, reply) => {
          await passwordLinks.check(link, token, clientAddressFrom(ip));
          return reply.code(204).send(null);
        },
      );
    }
  });
}
