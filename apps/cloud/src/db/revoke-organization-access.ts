import { type Expression, sql } from 'kysely';
import type { Database } from './open.ts';
import { revokeSiteTokensOfUsers, revokeSiteTokensWhere } from './site-tokens.ts';

/**
 * Revokes site tokens for sites that an organization loses: those of its employees without another way to the site, and
 * those issued for tokens and sessions of the organization, also to accounts with another way. Sites that belong to the
 * organization are left alone.
 *
 * @param which a condition on `sites`
 */
export async function revokeOrganizationAccess(
  tx: Database,
  organizationId: number,
  which: Expression<unknown>,
  at: Date,
): Promise<void> {
  const isLost = sql`${which} and sites.organization_id is distinct from ${organizationId}`;
  const lost = sql`select sites.id as site_id, employees.user_id
    from sites join organization_members as employees on employees.organization_id = ${organizationId}
    where ${isLost} and sites.owner_id <> employees.user_id
    and not exists (select from site_members where site_id = sites.id and user_id = employees.user_id)
    and not exists (select from organization_members as others
      where others.user_id = employees.user_id and others.organization_id <> ${organizationId}
        and (others.organization_id = sites.organization_id
          or exists (select from organization_sites as shared
            where shared.site_id = sites.id and shared.organization_id = others.organization_id)))`;
  await revokeSiteTokensOfUsers(tx, lost, at);
  const ofOrganization = sql`source in (
    select 'token:' || id from tokens where organization_id = ${organizationId})
    and site_id in (select sites.id from sites where ${isLost})`;
  await revokeSiteTokensWhere(tx, ofOrganization, at);
}
