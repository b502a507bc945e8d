import { ApiError } from '@heliograph/client';
import { queries } from '../../shared/app-frame.tsx';
import { sessionQuery } from './session.ts';

/**
 * Asks who is signed in as soon as the device refuses a request for want of it: the password was changed elsewhere, or
 * the month of a session is over. What is shown follows from the answer.
 */
export function watchRefusals(): void {
  const look = (error: unknown): void => {
    if (error instanceof ApiError && error.status === 401) askWhoIsSignedIn();
  };
  queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
  queries.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
}

export function askWhoIsSignedIn(): void {
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
