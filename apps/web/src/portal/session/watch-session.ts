import type { PortalSession } from '@heliograph/contracts';
import { onUnauthorized } from '../../shared/errors/on-unauthorized.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { clearAccountData, sessionQuery } from './session.ts';

/**
 * Notices what becomes of the session elsewhere: it ends, or another tab signs somebody else in. Whoever is signed out is
 * led to sign in; for somebody else the page is loaded anew, since what it shows, and its connections, are not theirs.
 */
export function watchSession(): void {
  onUnauthorized(queries, () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  let before: number | undefined;
  queries.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return;
    const { user } = (query.state.data as PortalSession | undefined) ?? {};
    if (user === undefined || user?.id === before) return;
    const wasSomebody = before !== undefined;
    before = user?.id;
    // What these pages did themselves has put in place what follows from it.
    const isFromElsewhere = 'action' in event && event.action.type === 'success' && !event.action.manual;
    if (!wasSomebody || !isFromElsewhere) return;
    if (user === null) clearAccountData();
    else location.reload();
  });
}
