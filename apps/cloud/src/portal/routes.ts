import type { Session } from '@heliograph/contracts';
import { portalOperations } from '@heliograph/contracts/operations/portal';
import { Api, type OperationRequest, WITHOUT_TOKENS } from '@heliograph/http/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressFrom } from '../common/client-address.ts';
import type { App } from '../http/app-type.ts';
import { checkConfirmationLink, confirmUser } from '../identity/accounts/confirmations.ts';
import { checkEmailChangeLink } from '../identity/accounts/email-changes.ts';
import {
  type AcceptSiteInvitation,
  checkPasswordLink,
  setPasswordByLink,
} from '../identity/accounts/password-links.ts';
import {
  handoverAccount,
  signIn,
  signInWithPasskey,
  startPasskeySignIn,
} from '../identity/accounts/sign-in.ts';
import { requireOwnPage } from '../identity/own-pages.ts';
import { relyingPartyOf } from '../identity/second-factor/relying-party.ts';
import { isLongInvalid } from '../identity/tokens/authentication.ts';
import type { PortalPlatform } from './platform.ts';
import { PRIVATE } from './private.ts';
import { FORGET_SESSION_COOKIE, sessionCookie, sessionTokenIn } from './session-cookie.ts';
import { endPortalSession, getPortalSession } from './sessions.ts';

type PasswordRequest = OperationRequest<typeof portalOperations.chooseResetPassword>;

/**
 * Signing in and out of browsers: operations that answer with a session in the API set a cookie here, which no script
 * can read. Pages call all other operations below `/portal/api/v1`.
 */
export function portalRoutes(
  app: App,
  platform: PortalPlatform,
  acceptSiteInvitation: AcceptSiteInvitation,
): void {
  const show = ({ ip, host }: FastifyRequest, token: string | undefined) =>
    getPortalSession(platform, token, clientAddressFrom(ip), host);

  const enter = async (request: FastifyRequest, reply: FastifyReply, entering: Promise<Session>) => {
    const session = await entering;
    // The browser replaces its cookie, so that nothing else would end the former session.
    const former = sessionTokenIn(request.headers.cookie);
    await endPortalSession(platform, former, clientAddressFrom(request.ip));
    reply.header(
      'set-cookie',
      sessionCookie(session.token, Date.parse(session.expires_at) - platform.clock.now()),
    );
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
      if (session.user === null && token !== undefined && (await isLongInvalid(platform, token))) {
        reply.header('set-cookie', FORGET_SESSION_COOKIE);
      }
      return session;
    });

    api.serve(portalOperations.signInToPortal, (request, reply) =>
      enter(
        request,
        reply,
        signIn(platform, clientAddressFrom(request.ip), {
          body: { organization_id: 'none', ...request.body },
        }),
      ),
    );

    api.serve(portalOperations.startPasskeySignIn, async (request) =>
      startPasskeySignIn(platform, clientAddressFrom(request.ip), await relyingPartyOf(platform, request)),
    );

    api.serve(portalOperations.signInWithPasskey, (request, reply) =>
      enter(request, reply, signInWithPasskey(platform, clientAddressFrom(request.ip), request.body.passkey)),
    );

    api.serve(portalOperations.signOutOfPortal, async ({ headers, ip }, reply) => {
      await endPortalSession(platform, sessionTokenIn(headers.cookie), clientAddressFrom(ip));
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
        setPasswordByLink(platform, acceptSiteInvitation, link, token, body, clientAddressFrom(request.ip)),
      );
    };

    api.serve(portalOperations.chooseResetPassword, (request, reply) =>
      choosePassword('reset', request, reply),
    );

    api.serve(portalOperations.checkResetLink, ({ body, ip }) =>
      checkPasswordLink(platform, 'reset', body.token, clientAddressFrom(ip)),
    );

    api.serve(portalOperations.chooseFirstPassword, (request, reply) =>
      choosePassword('invite', request, reply),
    );

    api.serve(portalOperations.checkInvitationLink, ({ body, ip }) =>
      checkPasswordLink(platform, 'invite', body.token, clientAddressFrom(ip)),
    );
  });
}
