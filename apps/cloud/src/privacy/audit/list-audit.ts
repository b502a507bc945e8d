import type { AuditEntry, AuditQuery, PageQuery } from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { requireOperator } from '../../organizations/organizations/policy.ts';
import { requireOrganizationManager } from '../../organizations/organizations/roles.ts';
import type { Platform } from '../../platform.ts';
import { presentAuditEntry, presentOwnAuditEntry } from './present.ts';
import { AUDIT_FILTERS, type AuditCondition, selectAccountRecords, selectRecords } from './records.ts';

/** Events of a site, for its managers. */
export async function listSiteAudit(
  { db }: Platform,
  caller: Caller,
  { site, query }: InputOf<'listSiteAudit'>,
): Promise<AuditEntry[]> {
  return entriesOf(db, caller, [{ column: 'site_id', value: site.id }], query);
}

/** Events of an organization, for its owners and admins. @throws NotFound; Forbidden */
export async function listOrganizationAudit(
  { db }: Platform,
  caller: Caller,
  { params, query }: InputOf<'listOrganizationAudit'>,
): Promise<AuditEntry[]> {
  await requireOrganizationManager(db, caller, params.id);
  const ofOrganization = { column: 'organization_id', value: params.id } as const;
  return entriesOf(db, caller, [ofOrganization, ...conditionsOf(query)], query);
}

/** Events of the caller's account, without names and addresses of other actors. */
export async function listOwnAudit(
  { db }: Platform,
  caller: Caller,
  { query }: InputOf<'listOwnAudit'>,
): Promise<AuditEntry[]> {
  const records = await selectAccountRecords(db, caller, pageFrom(query));
  return records.map((record) => presentOwnAuditEntry(record, caller));
}

/** All events, for operators. @throws Forbidden */
export async function listAudit(
  { db }: Platform,
  caller: Caller,
  { query }: InputOf<'listAudit'>,
): Promise<AuditEntry[]> {
  requireOperator(caller);
  return entriesOf(db, caller, conditionsOf(query), query);
}

async function entriesOf(
  db: Platform['db'],
  { locale }: Caller,
  conditions: readonly AuditCondition[],
  query: PageQuery,
): Promise<AuditEntry[]> {
  const records = await selectRecords(db, conditions, pageFrom(query));
  return records.map((record) => presentAuditEntry(record, locale));
}

function conditionsOf(query: AuditQuery): AuditCondition[] {
  return AUDIT_FILTERS.flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [{ column, value }];
  });
}
