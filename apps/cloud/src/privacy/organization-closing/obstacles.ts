import type { ClosingObstacle } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** The sites, open orders and open tickets that an organization has to end or give away before it can be closed. */
export async function obstaclesOf(db: Database, organizationId: number): Promise<ClosingObstacle[]> {
  const { rows } = await sql<ClosingObstacle>`
    select 'site' as kind, id, name from sites where organization_id = ${organizationId}
    union all
    select 'order', id, number from orders where organization_id = ${organizationId} and state = 'open'
    union all
    select 'ticket', id, subject from tickets
      where organization_id = ${organizationId} and state in ('open', 'pending')
    order by kind, id
    limit 200`.execute(db);
  return rows;
}

export function sentenceOf(obstacles: readonly ClosingObstacle[]): string {
  const shown = obstacles.slice(0, 3).map(({ kind, id, name }) => `${kind} ${name ?? id}`);
  const more = obstacles.length > shown.length ? ` and ${obstacles.length - shown.length} more` : '';
  return `The organization cannot be closed because of ${shown.join(', ')}${more}: release or move its sites, and end its orders and tickets first`;
}
