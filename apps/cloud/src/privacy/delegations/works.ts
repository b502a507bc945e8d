import { sql } from 'kysely';
import { suspendLapsed } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { Work } from '../../delivery/due-work.ts';
import type { Mails, Platform } from '../../platform.ts';

/** How often delegations are looked for whose author lost the right to them without a transaction that knows of it. */
const LOOK_INTERVAL_MS = 60_000;

/** Suspends what has lost its author, as when an API token expires, and mails those who decide about it. */
export function delegationWorks({ db, mail, clock }: Pick<Platform, 'db' | 'mail' | 'clock'>): Work[] {
  let looksAtMs = 0;
  return [
    {
      name: 'delegations without an author',
      isDue: (at) => sql`${at.getTime() >= looksAtMs}::boolean`,
      run: async () => {
        looksAtMs = clock.now() + LOOK_INTERVAL_MS;
        await db.transaction().execute((tx) => suspendLapsed(tx, 'all', { clock }));
      },
    },
    {
      name: 'mails about suspended delegations',
      isDue: () => sql`exists (select from delegations where suspended_at is not null and mailed_at is null)`,
      run: () => db.transaction().execute((tx) => mailSuspended(tx, mail, new Date(clock.now()))),
    },
  ];
}

/** One mail to each who decides. Those of an account that is closed go with it, and its mail is about that. */
async function mailSuspended(tx: Database, mail: Mails, at: Date): Promise<void> {
  const { rows } = await sql<{ userId: number; organizationId: number | null; name: string }>`
    with suspended as (
      update delegations set mailed_at = ${at} where suspended_at is not null and mailed_at is null returning *
    ), readers as (
      select suspended.*, suspended.user_id as reader_id from suspended
        where user_id is not null and suspended_for <> 'account'
      union all select suspended.*, sites.owner_id from suspended
        join sites on sites.id = suspended.site_id where suspended.user_id is null and suspended.kind = 'share'
      union all select suspended.*, employees.user_id from suspended
        join organization_members as employees on employees.organization_id = suspended.organization_id
          and employees.role = 'owner'
        where suspended.user_id is null and suspended.kind <> 'share'
      -- An organization without an owner is looked after by operators, of whom the author is one.
      union all select suspended.*, users.id from suspended
        join users on users.id = suspended.author_id and users.staff
        where suspended.user_id is null and suspended.kind <> 'share' and not exists (
          select from organization_members as employees
          where employees.organization_id = suspended.organization_id and employees.role = 'owner')
    )
    select reader_id as "userId",
      min(case when readers.kind <> 'share' then readers.organization_id end) as "organizationId",
      string_agg(case when readers.kind = 'activation_code' then '#' || readers.activation_code_id
        else coalesce(webhooks.name, oauth_clients.name, organizations.name, '') end, ', ' order by readers.id) as name
    from readers
    left join webhooks on webhooks.id = readers.webhook_id
    left join oauth_clients on oauth_clients.client_id = readers.client_id
    left join organizations on organizations.id = readers.organization_id
    group by reader_id`.execute(tx);
  for (const { userId, organizationId, name } of rows) {
    const about = { userId, organizationId, name, at: at.toISOString(), address: null };
    await mail.enqueue(tx, { kind: 'delegationsSuspended', ...about });
  }
}
