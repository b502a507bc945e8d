import type { DeletionObstacle } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** The sites, organizations and orders that an account has to give away before it can be deleted. */
export async function obstaclesOf(db: Database, userId: number): Promise<DeletionObstacle[]> {
  const { rows } = await sql<DeletionObstacle>`
    select 'site' as kind, id, name from sites where owner_id = ${userId}
    union all
    select 'organization', organizations.id, organizations.name
      from organization_members as owners join organizations on organizations.id = owners.organization_id
      where owners.user_id = ${userId} and owners.role = 'owner' and not exists (
        select from organization_members as others where others.organization_id = owners.organization_id
          and others.role = 'owner' and others.user_id <> ${userId})
    union all
    select 'order', id, number from orders where user_id = ${userId} and state = 'open'
    union all
    select 'operator', null, null from users where id = ${userId} and staff
      and not exists (select from users as others where others.staff and others.id <> ${userId})
    order by kind desc, id
    limit 200`.execute(db);
  return rows;
}
