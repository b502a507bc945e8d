import { onUnauthorized } from '../../shared/errors/on-unauthorized.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { sessionQuery } from './session.ts';

/**
 * Requests the session again as soon as the device answers 401: the password was changed elsewhere, or the session
 * has expired after a month. The pages follow from the answer.
 */
export function watchUnauthorized(): void {
  onUnauthorized(queries, refetchSession);
}

export function refetchSession(): void {
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
