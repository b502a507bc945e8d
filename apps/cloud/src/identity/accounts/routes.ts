import { LenientConfirmUserBody } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { IdentityPlatform } from '../platform.ts';
import { ownHostsAmong, relyingPartyOf } from '../second-factor/relying-party.ts';
import { confirmUser } from './confirmations.ts';
import { cancelEmailChange, confirmEmailChange, getEmail, requestEmailChange } from './email-changes.ts';
import {
  type AcceptSiteInvitation,
  newPasswordErrors,
  requestPasswordReset,
  setPasswordByLink,
} from './password-links.ts';
import { describePendingSignIn, showSecondFactor } from './pending-sign-ins.ts';
import { register, registrationErrors } from './registration.ts';
import { confirmSession, describeSessionConfirmation } from './session-confirmations.ts';
import { handOverSession, signOut } from './sessions.ts';
import { signIn } from './sign-in.ts';

export function accountRoutes(
  api: Api,
  platform: IdentityPlatform,
  acceptSiteInvitation: AcceptSiteInvitation,
): void {
  serveUseCases(api, platform, { getEmail, requestEmailChange, cancelEmailChange });
  serveUseCases(api, platform, { handOverSession, confirmSession, signOut });

  api.serve(cloudOperations.signIn, (request) => signIn(platform, clientAddressFrom(request.ip), request));

  // A page links to these hosts, and a former one may have passed to another owner.
  const withOwnHosts = async <T extends { readonly passkey_hosts: readonly string[] }>(answer: T) => ({
    ...answer,
    passkey_hosts: await ownHostsAmong(platform, answer.passkey_hosts),
  });

  api.serve(cloudOperations.describePendingSignIn, async (request) =>
    withOwnHosts(await describePendingSignIn(platform, await relyingPartyOf(platform, request), request)),
  );

  api.serve(cloudOperations.showSecondFactor, (request) =>
    showSecondFactor(platform, clientAddressFrom(request.ip), request),
  );

  api.serve(
    cloudOperations.register,
    (request) => register(platform, clientAddressFrom(request.ip), request),
    { fieldErrors: (fields) => registrationErrors(platform, fields) },
  );

  api.serve(
    cloudOperations.confirmUser,
    (request) => confirmUser(platform, clientAddressFrom(request.ip), request),
    platform.config.confirmWithoutOrganization ? { body: LenientConfirmUserBody } : {},
  );

  api.serve(cloudOperations.confirmEmailChange, (request) =>
    confirmEmailChange(platform, clientAddressFrom(request.ip), request),
  );

  api.serve(cloudOperations.requestPasswordReset, (request) =>
    requestPasswordReset(platform, clientAddressFrom(request.ip), request),
  );

  api.serve(
    cloudOperations.resetPassword,
    ({ params, body, ip }) =>
      setPasswordByLink(platform, acceptSiteInvitation, 'reset', params.token, body, clientAddressFrom(ip)),
    { fieldErrors: newPasswordErrors },
  );

  api.serve(
    cloudOperations.setPassword,
    ({ params, body, ip }) =>
      setPasswordByLink(platform, acceptSiteInvitation, 'invite', params.token, body, clientAddressFrom(ip)),
    { fieldErrors: newPasswordErrors },
  );

  api.serve(cloudOperations.describeSessionConfirmation, async (request) =>
    withOwnHosts(
      await describeSessionConfirmation(platform, callerOf(request), await relyingPartyOf(platform, request)),
    ),
  );
}
