import { LenientConfirmUserBody } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf } from '../../http/guards.ts';
import type { RelyingParties } from '../second-factor/service.ts';
import type { Confirmations } from './confirmations.ts';
import type { EmailChanges } from './email-changes.ts';
import { newPasswordErrors, type PasswordLinks } from './password-links.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import type { AccountRegistration } from './registration.ts';
import type { SessionConfirmations } from './session-confirmations.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export interface AccountRouteServices {
  readonly accountRegistration: AccountRegistration;
  readonly confirmations: Confirmations;
  readonly emailChanges: EmailChanges;
  readonly passwordLinks: PasswordLinks;
  readonly pendingSignIns: PendingSignIns;
  readonly sessionConfirmations: SessionConfirmations;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly relyingParties: RelyingParties;
}

export function accountRoutes(api: Api, services: AccountRouteServices): void {
  const { accountRegistration, confirmations, emailChanges, passwordLinks, signIn } = services;
  const { pendingSignIns, relyingParties, sessionConfirmations, sessions } = services;

  api.serve(cloudOperations.signIn, (request) =>
    signIn.withCredentials(request.body, clientAddressFrom(request.ip)),
  );

  // A page links to these hosts, and a former one may have passed to another owner.
  const withOwnHosts = async <T extends { readonly passkey_hosts: readonly string[] }>(answer: T) => ({
    ...answer,
    passkey_hosts: await relyingParties.ownHostsAmong(answer.passkey_hosts),
  });

  api.serve(cloudOperations.describePendingSignIn, async (request) =>
    withOwnHosts(await pendingSignIns.describe(request.body.pending_token, await relyingParties.of(request))),
  );

  api.serve(cloudOperations.showSecondFactor, async (request) => {
    await pendingSignIns.verifySecondFactor(request.body, clientAddressFrom(request.ip));
  });

  api.serve(
    cloudOperations.register,
    (request) => accountRegistration.register(request.body, clientAddressFrom(request.ip)),
    { fieldErrors: (fields) => accountRegistration.fieldErrors(fields) },
  );

  api.serve(
    cloudOperations.confirmUser,
    (request) => confirmations.confirm(request.body, clientAddressFrom(request.ip)),
    confirmations.isOrganizationOptional ? { body: LenientConfirmUserBody } : {},
  );

  api.serve(cloudOperations.getEmail, (request) => emailChanges.describe(callerOf(request)));

  api.serve(cloudOperations.requestEmailChange, (request) =>
    emailChanges.request(callerOf(request), request.body),
  );

  api.serve(cloudOperations.cancelEmailChange, async (request) => {
    await emailChanges.cancel(callerOf(request));
  });

  api.serve(cloudOperations.confirmEmailChange, (request) =>
    emailChanges.confirm(request.body, clientAddressFrom(request.ip)),
  );

  api.serve(cloudOperations.requestPasswordReset, (request) =>
    passwordLinks.request(request.body, clientAddressFrom(request.ip)),
  );

  api.serve(
    cloudOperations.resetPassword,
    ({ params, body, ip }) => passwordLinks.use('reset', params.token, body, clientAddressFrom(ip)),
    { fieldErrors: newPasswordErrors },
  );

  api.serve(
    cloudOperations.setPassword,
    ({ params, body, ip }) => passwordLinks.use('invite', params.token, body, clientAddressFrom(ip)),
    { fieldErrors: newPasswordErrors },
  );

  api.serve(cloudOperations.handOverSession, (request) => sessions.createHandover(callerOf(request)));

  api.serve(cloudOperations.describeSessionConfirmation, async (request) =>
    withOwnHosts(await sessionConfirmations.describe(callerOf(request), await relyingParties.of(request))),
  );

  api.serve(cloudOperations.confirmSession, (request) =>
    sessionConfirmations.confirm(callerOf(request), request.body),
  );

  api.serve(cloudOperations.signOut, async (request) => {
    await sessions.end(callerOf(request));
  });
}
