import type { DeviceSession } from '@heliograph/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { queries } from '../../shared/queries/query-client.ts';
import { device } from './device.ts';

/** Other tabs sign in and out, too; a look back at this one asks again. */
const FRESH_FOR_MS = 60_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => device.session.get({ signal }),
  staleTime: FRESH_FOR_MS,
});

/** Who looks at the device. Suspends until it is known, so that nothing shows a moment of being signed out. */
export function useDeviceSession(): DeviceSession {
  return useSuspenseQuery(sessionQuery).data;
}

/** @throws ApiError with status 401 when the password is wrong, 429 after too many guesses */
export async function signIn(password: string): Promise<void> {
  await device.session.signIn(password);
  await enter();
}

/**
 * Takes the device into use, and leads to what comes next.
 *
 * @throws ApiError with status 422 and the field `password` when it cannot be one, 409 when somebody else was first
 */
export async function setFirstPassword(password: string): Promise<void> {
  await device.session.setFirstPassword(password);
  // Before the session lets other pages show, so that none flashes up.
  navigate('/configuration/setup', { replace: true });
  await enter();
}

/** Forgets everything that was on the pages of whoever signs out. */
export async function signOut(): Promise<void> {
  await device.session.signOut();
  await enter();
}

/** What was known belongs to whoever looked before; the session is in place before anything of it shows. */
async function enter(): Promise<void> {
  const session = await device.session.get();
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  queries.setQueryData(sessionQuery.queryKey, session);
}
