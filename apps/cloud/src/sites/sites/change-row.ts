import type { AuditAction } from '@heliograph/contracts';
import { actorOf, type Caller } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';
import { SITE_COLUMNS } from './summary.ts';

/** Columns of a site that its people read and set, locked. */
export type SiteRow = Awaited<ReturnType<typeof lockRow>>;

export interface RowChange {
  readonly action: AuditAction;
  readonly columns: Partial<Omit<SiteRow, 'id' | 'organizationId'>>;
  /** The part that changes, as the audit log has it. */
  readonly describe: (site: Omit<SiteRow, 'organizationId'>) => string | null;
}

/**
 * Changes columns of a site, and records it. Nothing is stored or recorded when its description stays the same.
 *
 * @returns the site as it was; undefined when it did not change
 */
export async function changeRow(
  tx: Database,
  { clock }: Pick<Platform, 'clock'>,
  caller: Caller,
  siteId: number,
  { action, columns, describe }: RowChange,
): Promise<SiteRow | undefined> {
  const before = await lockRow(tx, siteId);
  const [from, to] = [describe(before), describe({ ...before, ...columns })];
  if (from === to) return undefined;
  await tx.updateTable('sites').set(columns).where('id', '=', siteId).execute();
  const { organizationId } = before;
  const event = { action, organizationId, siteId, details: { from, to } };
  await recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
  return before;
}

function lockRow(tx: Database, siteId: number) {
  return tx
    .selectFrom('sites')
    .select([...SITE_COLUMNS, 'organization_id as organizationId'])
    .where('id', '=', siteId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
