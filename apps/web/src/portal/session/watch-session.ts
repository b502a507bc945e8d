import type { PortalSession } from '@heliograph/contracts';
import { onUnauthorized } from '../../shared/errors/on-unauthorized.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { clearAccountData, sessionQuery } from './session.ts';
import { onSessionChangeElsewhere } from './session-changes.ts';

/**
 * Follows a session that changes elsewhere: it ends, or another tab signs in to another account. An ended session leads
 * to the sign-in page; for another account the page reloads, since its content and connections belong to the former one.
 *
 * @returns ends the subscription
 */
export function watchSession(): () => void {
  const refetchSession = (): void => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  onUnauthorized(queries, refetchSession);
  const endChanges = onSessionChangeElsewhere(refetchSession);
  let userId: number | undefined;
  const endUpdates = queries.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return;
    const { user } = (query.state.data as PortalSession | undefined) ?? {};
    if (user === undefined || user?.id === userId) return;
    const wasSignedIn = userId !== undefined;
    userId = user?.id;
    // A change that these pages made themselves has taken effect already.
    const isFromElsewhere = 'action' in event && event.action.type === 'success' && !event.action.manual;
    if (!wasSignedIn || !isFromElsewhere) return;
    if (user === null) clearAccountData();
    else location.reload();
  });
  return () => {
    endChanges();
    endUpdates();
  };
}
