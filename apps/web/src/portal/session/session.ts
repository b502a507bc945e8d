import type {
  ConfirmEmailChangeBody,
  PasskeyAssertion,
  PasskeyRequestOptions,
  PortalLinkBody,
  PortalPasswordBody,
  PortalSession,
} from '@heliograph/contracts';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { cloud } from './cloud.ts';
import { followAccount, showAccount } from './page-account.ts';
import { portal } from './portal.ts';
import { announceSessionChange } from './session-changes.ts';

/** In milliseconds: other tabs sign in and out too, so a return to this tab requests the session again. */
const FRESH_FOR_MS = 60_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await withAccountLocale(await portal.getPortalSession());
    followAccount(session.user?.id);
    return session;
  },
  staleTime: FRESH_FOR_MS,
});

export type PortalCredentials =
  | { readonly email: string; readonly password: string }
  | { readonly email: string; readonly pending_token: string }
  | { readonly session_token: string };

/** Suspends until the session is known, so that no page looks signed out for a moment. */
export function usePortalSession(): PortalSession {
  return useSuspenseQuery(sessionQuery).data;
}

/** @throws ApiError with status 412 and a `pending_token` while the email is unconfirmed */
export async function signIn(credentials: PortalCredentials): Promise<PortalSession> {
  return await startSession(portal.signInToPortal(credentials));
}

/** @returns the email address of the account that a handed-over session is of. @throws ApiError with status 401 */
export async function handoverAccount(token: string): Promise<string> {
  return (await portal.checkHandover({ session_token: token })).email;
}

/** The options of a passkey that signs in without a password. */
export async function passkeyOptions(): Promise<PasskeyRequestOptions> {
  return await portal.startPasskeySignIn();
}

export async function signInWithPasskey(passkey: PasskeyAssertion): Promise<PortalSession> {
  return await startSession(portal.signInWithPasskey({ passkey }));
}

/** @returns the address that a link confirms @throws ApiError with status 422 when it does so no more */
export async function confirmationEmail(body: PortalLinkBody): Promise<string> {
  return (await portal.checkConfirmationLink(body)).email;
}

/** @returns the new address that a link puts in force @throws ApiError with status 422 when it does so no more */
export async function newEmail(body: PortalLinkBody): Promise<string> {
  return (await portal.checkEmailChangeLink(body)).email;
}

export async function confirmEmail(body: PortalLinkBody): Promise<PortalSession> {
  return await startSession(portal.confirmEmail(body));
}

/** Confirms the new email address of an account, which may be signed in here. @returns the address */
export async function confirmNewEmail(body: ConfirmEmailChangeBody): Promise<string> {
  const { email } = await cloud.confirmEmailChange(body);
  await queries.invalidateQueries(sessionQuery);
  return email;
}

/** @throws ApiError with status 422 when the link sets no password any more */
export async function checkPasswordLink(link: 'reset' | 'set', body: PortalLinkBody): Promise<void> {
  await (link === 'reset' ? portal.checkResetLink(body) : portal.checkInvitationLink(body));
}

/** @param link which mail the token is of: a forgotten password, or an invitation */
export async function choosePassword(
  link: 'reset' | 'set',
  body: PortalPasswordBody,
): Promise<PortalSession> {
  return await startSession(
    link === 'reset' ? portal.chooseResetPassword(body) : portal.chooseFirstPassword(body),
  );
}

/** Removes the data of the account from the cache, too. Messages of the account come to this browser no more. */
export async function signOut(): Promise<void> {
  await endMessages();
  await portal.signOutOfPortal();
  setSession(await portal.getPortalSession());
}

/** While there is a session to do so; a subscription that is left ends with the next account. */
async function endMessages(): Promise<void> {
  try {
    const { switchOff } = await import('./own-device.ts');
    await switchOff();
  } catch {
    // Signing out matters more.
  }
}

async function startSession(starting: Promise<PortalSession>): Promise<PortalSession> {
  const session = await withAccountLocale(await starting);
  setSession(session);
  return session;
}

function setSession(session: PortalSession): void {
  clearAccountData();
  // An answer that is under way is about the former session.
  void queries.cancelQueries({ queryKey: sessionQuery.queryKey });
  showAccount(session.user?.id);
  queries.setQueryData(sessionQuery.queryKey, session);
  announceSessionChange();
}

/** Removes the data of the former account. The query of the session stays, since pages read it. */
export function clearAccountData(): void {
  const [sessionKey] = sessionQuery.queryKey;
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey });
}

/** The account's language precedes the browser's. */
async function withAccountLocale(session: PortalSession): Promise<PortalSession> {
  if (session.user !== null) await switchLocale(session.user.locale);
  return session;
}
