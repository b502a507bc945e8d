import { queries } from '../../shared/app-frame.tsx';
import { onRefusal } from '../../shared/errors/on-refusal.ts';
import { sessionQuery } from './session.ts';

/**
 * Asks who is signed in as soon as the device refuses a request for want of it: the password was changed elsewhere, or
 * the month of a session is over. What is shown follows from the answer.
 */
export function watchRefusals(): void {
  onRefusal(queries, askWhoIsSignedIn);
}

export function askWhoIsSignedIn(): void {
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
