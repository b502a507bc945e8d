import { onUnauthorized } from '../../shared/errors/on-unauthorized.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { sessionQuery } from './session.ts';

/**
 * Asks who is signed in as soon as the device refuses a request for want of it: the password was changed elsewhere, or
 * the month of a session is over. What is shown follows from the answer.
 */
export function watchUnauthorized(): void {
  onUnauthorized(queries, refetchSession);
}

export function refetchSession(): void {
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
