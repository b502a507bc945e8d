import type { DeviceSession } from '@heliograph/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { queries } from '../../shared/queries/query-client.ts';
import { deviceSession } from './session-client.ts';

/** Other tabs sign in and out, too; returning to this one requests the session again. */
const FRESH_FOR_MS = 60_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => deviceSession.get({ signal }),
  staleTime: FRESH_FOR_MS,
});

/** The session of the reader. Suspends until it is known, so that no page flashes up signed out. */
export function useDeviceSession(): DeviceSession {
  return useSuspenseQuery(sessionQuery).data;
}

/** @throws ApiError with status 401 when the password is wrong, 429 after too many guesses */
export async function signIn(password: string): Promise<void> {
  await deviceSession.signIn(password);
  await enter();
}

/**
 * Sets the password of a new device, and leads to its setup.
 *
 * @throws ApiError with status 422 and the field `password` when it cannot be one, 409 when the device already has
 * one
 */
export async function setFirstPassword(password: string): Promise<void> {
  await deviceSession.setFirstPassword(password);
  // Before the session lets other pages show, so that none flashes up.
  navigate('/configuration/setup', { replace: true });
  await enter();
}

/** Drops all data of the former reader. */
export async function signOut(): Promise<void> {
  await deviceSession.signOut();
  await enter();
}

/** Drops the data of the former reader; the session is in place before anything of it shows. */
async function enter(): Promise<void> {
  const session = await deviceSession.get();
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  queries.setQueryData(sessionQuery.queryKey, session);
}
