import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { MailJob } from '../../delivery/mail/service.ts';
import type { Platform } from '../../platform.ts';
import type { SessionRecord } from './rows.ts';

type Event = Extract<MailJob, { kind: 'recovery' }>['event'];

/** To owner and admins of the site, except the one who did it; of an answer also to who requested it. */
export async function mailSession(
  { mail }: Pick<Platform, 'mail'>,
  tx: Database,
  event: Event,
  session: SessionRecord,
  actorId: number | null,
): Promise<void> {
  const readers = new Set(await householdOf(tx, session.siteId));
  if (!event.startsWith('asked') && session.requestedBy !== null) readers.add(session.requestedBy);
  for (const userId of readers) {
    if (userId === actorId) continue;
    const about = { userId, organizationId: session.siteOrganizationId, sessionId: session.id };
    await mail.enqueue(tx, { kind: 'recovery', event, ...about });
  }
}

/** Owner and admins of a site who have accepted that. */
async function householdOf(tx: Database, siteId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from (
      select owner_id as id from sites where id = ${siteId}
      union select user_id from site_members where site_id = ${siteId} and role = 'admin') as people
    where not exists (select from site_invitations where site_id = ${siteId} and user_id = people.id)
    order by 1`.execute(tx);
  return rows.map(({ id }) => id);
}
