import { RECOVERY_STATES } from '@heliograph/contracts';
import { sql } from 'kysely';
import { recoveryState } from '../../db/recovery-sessions.ts';
import { oneOf, searchCondition } from '../../db/search.ts';
import { idOf, isDated, isEqual, organizationIs } from '../../db/search-values.ts';

const SEARCHED = sql`concat_ws(' ', recovery_sessions.reason, sites.name)`;

/** A condition on `recovery_sessions` with their `sites`. */
export function recoverySearch(q: string | undefined, at: Date) {
  const keys = {
    state: (text: string) => {
      const state = oneOf(RECOVERY_STATES, text);
      return state && sql`${recoveryState(at)} = ${state}`;
    },
    site_id: (text: string) => isEqual('recovery_sessions.site_id', idOf(text)),
    ticket_id: (text: string) => isEqual('recovery_sessions.ticket_id', idOf(text)),
    organization_id: (text: string) => organizationIs('recovery_sessions.organization_id', text),
    user_id: (text: string) => isEqual('recovery_sessions.requested_by', idOf(text)),
    opened_after: (text: string) => isDated('recovery_sessions.opened_at', '>', text),
  };
  return searchCondition(q, keys, SEARCHED);
}
