import type { Session } from '@heliograph/contracts';
import { portalOperations } from '@heliograph/contracts/operations/portal';
import { Api, type OperationRequest, WITHOUT_TOKENS } from '@heliograph/http/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressFrom } from '../common/client-address.ts';
import type { App } from '../http/app-type.ts';
import { checkConfirmationLink, confirmUser } from '../identity/accounts/confirmations.ts';
import { checkEmailChangeLink } from '../identity/accounts/email-changes.ts';
import {
  checkPasswordLink,
  type InvitationAcceptance,
  setPasswordByLink,
} from '../identity/accounts/password-links.ts';
import { handoverAccount, signInWithPasskey, startPasskeySignIn } from '../identity/accounts/sign-in.ts';
import { requireOwnPage } from '../identity/own-pages.ts';
import type { IdentityPlatform } from '../identity/platform.ts';
import { relyingPartyOf } from '../identity/second-factor/relying-party.ts';
import { PRIVATE } from './private.ts';
import { FORGET_SESSION_COOKIE, sessionCookie, sessionTokenIn } from './session-cookie.ts';
import type { PortalSessions } from './sessions.ts';

type PasswordRequest = OperationRequest<typeof portalOperations.chooseResetPassword>;

/**
 * Signing in and out of browsers: operations that answer with a session in the API set a cookie here, which no script
 * can read. Pages call all other operations below `/portal/api/v1`.
 */
export function portalRoutes(
  app: App,
  platform: IdentityPlatform,
  sessions: PortalSessions,
  invitations: InvitationAcceptance,
): void {
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
      await requireOwnPage(platform, request);
    });

    const api = new Api(own, WITHOUT_TOKENS);

    api.serve(portalOperations.getPortalSession, async (request, reply) => {
      const token = sessionTokenIn(request.headers.cookie);
      const session = await show(request, token);
      if (session.user === null && token !== undefined && (await sessions.hasEndedLongAgo(token))) {
        reply.header('set-cookie', FORGET_SESSION_COOKIE);
      }
      return session;
    });

    api.serve(portalOperations.signInToPortal, (request, reply) =>
      enter(request, reply, sessions.signIn(request.body, clientAddressFrom(request.ip))),
    );

    api.serve(portalOperations.startPasskeySignIn, async (request) =>
      startPasskeySignIn(platform, clientAddressFrom(request.ip), await relyingPartyOf(platform, request)),
    );

    api.serve(portalOperations.signInWithPasskey, (request, reply) =>
      enter(request, reply, signInWithPasskey(platform, clientAddressFrom(request.ip), request.body.passkey)),
    );

    api.serve(portalOperations.signOutOfPortal, async ({ headers, ip }, reply) => {
      await sessions.end(sessionTokenIn(headers.cookie), clientAddressFrom(ip));
      reply.header('set-cookie', FORGET_SESSION_COOKIE);
    });

    api.serve(portalOperations.confirmEmail, (request, reply) => {
      const body = { ...request.body, organization_id: 'none' } as const;
      return enter(request, reply, confirmUser(platform, clientAddressFrom(request.ip), { body }));
    });

    api.serve(portalOperations.checkConfirmationLink, async ({ body, ip }) => ({
      email: await checkConfirmationLink(platform, body.token, clientAddressFrom(ip)),
    }));

    api.serve(portalOperations.checkEmailChangeLink, async ({ body }) => ({
      email: await checkEmailChangeLink(platform, body.token),
    }));

    api.serve(portalOperations.checkHandover, ({ body, ip }) =>
      handoverAccount(platform, clientAddressFrom(ip), body.session_token),
    );

    const choosePassword = (link: 'reset' | 'invite', request: PasswordRequest, reply: FastifyReply) => {
      const { token, ...password } = request.body;
      const body = { ...password, organization_id: 'none' } as const;
      return enter(
        request,
        reply,
        setPasswordByLink(platform, invitations, link, token, body, clientAddressFrom(request.ip)),
      );
    };

    api.serve(portalOperations.chooseResetPassword, (request, reply) =>
      choosePassword('reset', request, reply),
    );

    api.serve(portalOperations.checkResetLink, ({ body, ip }) =>
      checkPasswordLink(platform, invitations, 'reset', body.token, clientAddressFrom(ip)),
    );

    api.serve(portalOperations.chooseFirstPassword, (request, reply) =>
      choosePassword('invite', request, reply),
    );

    api.serve(portalOperations.checkInvitationLink, ({ body, ip }) =>
      checkPasswordLink(platform, invitations, 'invite', body.token, clientAddressFrom(ip)),
    );
  });
}
