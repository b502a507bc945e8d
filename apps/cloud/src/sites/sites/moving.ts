import type { SiteOrganization } from '@heliograph/contracts';
import { NotFound, ValidationError } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import { type AccessibleSite, requireSite } from '../../access/site-access.ts';
import { type Actor, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import { endRecoverySessions } from '../../db/recovery-sessions.ts';
import { revokeOrganizationAccess } from '../../db/revoke-organization-access.ts';
import { mailedOwnerOf } from '../../db/site-invitations.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Mails, Platform } from '../../platform.ts';

/** Organizations that one answer has. */
const MAX_CHOICES = 200;

/** The organization of a site, and those that the caller may move it to. */
export async function getSiteOrganization(
  { db }: Platform,
  caller: Caller,
  { site }: InputOf<'getSiteOrganization'>,
): Promise<SiteOrganization> {
  const choices = await choicesOf(db, caller, site).limit(MAX_CHOICES).execute();
  return { organization_id: site.organizationId, choices };
}

/**
 * Employees of the former organization lose the site at once, and support sessions with them end. No change and no
 * record when the site belongs to the organization already.
 *
 * @throws NotFound; Forbidden; FreshSignInRequired; ValidationError for an organization that is no choice of the caller
 */
export async function moveSite(
  platform: Platform,
  caller: Caller,
  { site: { id: siteId }, body: { organization_id: to } }: InputOf<'moveSite'>,
): Promise<void> {
  const { db, clock } = platform;
  requireFreshSignIn(caller, clock.now());
  await db.transaction().execute(async (tx) => {
    // Before the site, in the order in which sites are registered.
    const open = await openOrganization(tx, to);
    // Waits for site tokens that are being issued: these must be older than the revocation.
    const row = await tx
      .selectFrom('sites')
      .select('name')
      .where('id', '=', siteId)
      .forUpdate()
      .executeTakeFirst();
    const site = await requireSite(tx, caller, siteId, 'manage');
    if (row === undefined) throw new NotFound();
    if (to === site.organizationId) return;
    if (to !== null) await requireChoice(tx, caller, site, open);
    await moveIn(tx, platform, caller, { ...site, name: row.name ?? `#${siteId}` }, to);
  });
}

async function moveIn(
  tx: Database,
  { mail, clock }: Platform,
  caller: Caller,
  site: AccessibleSite & { readonly name: string },
  to: number | null,
): Promise<void> {
  const { id: siteId, organizationId: from } = site;
  const actor = actorOf(caller);
  const at = new Date(clock.now());
  if (from !== null) await endSupportBy(tx, from, siteId, actor, at);
  await tx.updateTable('sites').set({ organization_id: to }).where('id', '=', siteId).execute();
  if (from !== null) {
    // A device that another organization activated stays with that one.
    await tx
      .updateTable('devices')
      .set({ organization_id: to })
      .where('site_id', '=', siteId)
      .where('organization_id', '=', from)
      .execute();
    await revokeOrganizationAccess(tx, from, sql`sites.id = ${siteId}`, at);
  }
  const details = { name: site.name, from, to };
  await recordAudits(tx, actor, at, [
    { action: 'site.moved', siteId, organizationId: to ?? from, details },
    // The former organization does not learn of the new one.
    ...(from === null || to === null
      ? []
      : [
          {
            action: 'site.moved' as const,
            organizationId: from,
            details: { name: site.name, from, to: null },
          },
        ]),
  ]);
  const userId = await mailedOwnerOf(tx, siteId);
  if (userId !== null && userId !== caller.userId)
    await notifyOwner(tx, mail, { userId, name: site.name }, from, to, at);
}

async function notifyOwner(
  tx: Database,
  mail: Mails,
  { userId, name }: { readonly userId: number; readonly name: string },
  from: number | null,
  to: number | null,
  at: Date,
): Promise<void> {
  const kind = to === null ? 'siteLeft' : 'siteMoved';
  const { name: organization } = await tx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', to ?? from)
    .executeTakeFirstOrThrow();
  const about = { name, organization, at: at.toISOString(), address: null };
  await mail.enqueue(tx, { kind, userId, organizationId: to, ...about });
}
/**
 * Organizations that the caller may move a site to. The household chooses one in whose name its account may act, as a new
 * site joins it; an operator any; the organization itself none, as the household lets others in. A token of an organization
 * knows no other.
 */
function choicesOf(db: Database, caller: Caller, { permissions }: AccessibleSite) {
  const { userId, staff, organizationId } = caller;
  const isHousehold = permissions.has('write');
  return db
    .selectFrom('organizations')
    .select(['organizations.id', 'organizations.name'])
    .$if(organizationId !== null, (query) => query.where('organizations.id', '=', organizationId ?? 0))
    .$if(!staff, (query) =>
      query.where(
        (eb): Expression<SqlBool> =>
          eb.and([
            eb.val(isHousehold),
            eb.exists(
              eb
                .selectFrom('users')
                .select('users.id')
                .where('users.id', '=', userId)
                .where(hasOrganizationAccess(eb.ref('organizations.id'))),
            ),
          ]),
      ),
    )
    .orderBy(sql`organizations.name collate natural_order`)
    .orderBy('organizations.id');
}

/** @param open null for an organization that there is not, or no longer. @throws ValidationError */
async function requireChoice(
  tx: Database,
  caller: Caller,
  site: AccessibleSite,
  open: number | null,
): Promise<void> {
  const choice =
    open === null
      ? undefined
      : await choicesOf(tx, caller, site).where('organizations.id', '=', open).executeTakeFirst();
  if (choice === undefined)
    throw new ValidationError({ organization_id: ['must be one that you may add sites to'] });
}

async function endSupportBy(
  tx: Database,
  organizationId: number,
  siteId: number,
  actor: Actor,
  at: Date,
): Promise<void> {
  const which = sql`recovery_sessions.site_id = ${siteId} and recovery_sessions.organization_id = ${organizationId}`;
  await endRecoverySessions(tx, which, { reason: 'access_lost', by: null }, actor, at);
}
