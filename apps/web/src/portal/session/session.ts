import type {
  PasskeyAssertion,
  PasskeyRequestOptions,
  PortalLinkBody,
  PortalPasswordBody,
  PortalSession,
} from '@heliograph/contracts';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { portalCall } from './portal-call.ts';

/** Other tabs sign in and out, too; a look back at this one asks again. */
const FRESH_FOR_MS = 60_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => await withAccountLocale((await portalCall('GET', '/portal/session')) as PortalSession),
  staleTime: FRESH_FOR_MS,
});

export type PortalCredentials =
  | { readonly email: string; readonly password: string }
  | { readonly email: string; readonly pending_token: string }
  | { readonly session_token: string };

/** Who is signed in. Suspends until it is known, so that nothing shows a moment of being signed out. */
export function usePortalSession(): PortalSession {
  return useSuspenseQuery(sessionQuery).data;
}

/** @throws ApiError with status 412 and a `pending_token` while the email is unconfirmed */
export async function signIn(credentials: PortalCredentials): Promise<PortalSession> {
  return await startSession('/portal/sign_in', credentials);
}

/** What a passkey is asked that signs in alone. */
export async function passkeyOptions(): Promise<PasskeyRequestOptions> {
  return (await portalCall('POST', '/portal/passkey/options')) as PasskeyRequestOptions;
}

export async function signInWithPasskey(passkey: PasskeyAssertion): Promise<PortalSession> {
  return await startSession('/portal/passkey', { passkey });
}

export async function confirmEmail(body: PortalLinkBody): Promise<PortalSession> {
  return await startSession('/portal/confirm', body);
}

/** @throws ApiError with status 422 when the link sets no password any more */
export async function checkPasswordLink(link: 'reset' | 'set', body: PortalLinkBody): Promise<void> {
  await portalCall('POST', `/portal/password/${link}/check`, body);
}

/** @param link which mail the token is of: a forgotten password, or an invitation */
export async function choosePassword(
  link: 'reset' | 'set',
  body: PortalPasswordBody,
): Promise<PortalSession> {
  return await startSession(`/portal/password/${link}`, body);
}

/** Forgets everything that was on the pages of whoever signs out. */
export async function signOut(): Promise<void> {
  await portalCall('POST', '/portal/sign_out');
  setSession((await portalCall('GET', '/portal/session')) as PortalSession);
}

async function startSession(path: string, body: unknown): Promise<PortalSession> {
  const session = await withAccountLocale((await portalCall('POST', path, body)) as PortalSession);
  setSession(session);
  return session;
}

function setSession(session: PortalSession): void {
  clearAccountData();
  // What was asked before would say who was here then.
  void queries.cancelQueries({ queryKey: sessionQuery.queryKey });
  queries.setQueryData(sessionQuery.queryKey, session);
}

/** What was asked as somebody else goes. The query of the session stays: it tells what is shown who is here now. */
export function clearAccountData(): void {
  const [kept] = sessionQuery.queryKey;
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== kept });
}

/** An account's language goes before that of the browser. */
async function withAccountLocale(session: PortalSession): Promise<PortalSession> {
  if (session.user !== null) await switchLocale(session.user.locale);
  return session;
}
