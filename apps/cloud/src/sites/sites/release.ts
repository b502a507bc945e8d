import { NotFound } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn, requirePerson } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { mailedOwnerOf } from '../../db/site-invitations.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Mails, Platform } from '../../platform.ts';
import { revokeGrants } from '../connections/revoke.ts';

interface ReleasedSite {
  readonly name: string | null;
  readonly ownerId: number;
  readonly organizationId: number | null;
  /** Null for a site without a device. */
  readonly deviceUid: string | null;
}

/**
 * Ends a site, whose device is registered again by those who have it. The device keeps its history, and every stream to it
 * ends: the database dismisses its sessions, and requires a code to register it. The former owner gets one by mail, also about
 * their own release: a stolen token gets none.
 *
 * @throws NotFound; Forbidden; FreshSignInRequired
 */
export async function releaseSite(
  { db, mail, clock }: Platform,
  caller: Caller,
  { site: { id: siteId, permissions } }: Pick<InputOf<'releaseSite'>, 'site'>,
): Promise<void> {
  if (permissions.has('grant')) requireFreshSignIn(caller, clock.now());
  else requirePerson(caller, clock.now());
  await db.transaction().execute(async (tx) => {
    // Waits for a change of its owner, which may be another account by then.
    const site = await tx
      .selectFrom('sites')
      .select(['name', 'owner_id as ownerId', 'organization_id as organizationId'])
      .where('id', '=', siteId)
      .forUpdate()
      .executeTakeFirst();
    if (site === undefined) throw new NotFound();
    const { name, ownerId, organizationId } = site;
    if (!caller.staff && ownerId !== caller.userId) throw new NotFound();
    const actor = actorOf(caller);
    await revokeGrants(tx, sql<SqlBool>`oauth_grants.site_id = ${siteId}`, actor, clock);
    const device = await tx
      .selectFrom('devices')
      .select('uid')
      .where('site_id', '=', siteId)
      .executeTakeFirst();
    const about = { siteId, organizationId, userId: ownerId, deviceUid: device?.uid ?? null };
    const at = new Date(clock.now());
    await recordAudit(tx, actor, at, { action: 'site.released', ...about, details: { name } });
    const released = { name, ownerId, organizationId, deviceUid: device?.uid ?? null };
    await mailRelease(tx, mail, siteId, released, actor.userId, at);
    await tx.deleteFrom('sites').where('id', '=', siteId).execute();
  });
}

/** To the owner, with a code for the device, and to the members who accepted, except the one who released the site. */
async function mailRelease(
  tx: Database,
  mail: Mails,
  siteId: number,
  { name, ownerId, organizationId, deviceUid }: ReleasedSite,
  actorId: number | null,
  at: Date,
): Promise<void> {
  // A new owner who has not accepted the site does not ask for the code, unless it is the one who released it.
  const recipient = (actorId === ownerId ? null : await mailedOwnerOf(tx, siteId)) ?? ownerId;
  const members = await tx
    .selectFrom('site_members as members')
    .leftJoin('site_invitations as invitations', (join) =>
      join
        .onRef('invitations.site_id', '=', 'members.site_id')
        .onRef('invitations.user_id', '=', 'members.user_id'),
    )
    .select('members.user_id as userId')
    .where('members.site_id', '=', siteId)
    .where('members.user_id', '<>', recipient)
    .where('invitations.user_id', 'is', null)
    .orderBy('members.user_id')
    .execute();
  const readers = [
    { userId: recipient, reader: 'owner', deviceUid } as const,
    ...members.flatMap(({ userId }) =>
      userId === actorId ? [] : [{ userId, reader: 'member', deviceUid: null } as const],
    ),
  ];
  for (const reader of readers) {
    const about = { siteId, siteName: name, organizationId, actorId, at: at.toISOString() };
    await mail.enqueue(tx, { kind: 'siteReleased', ...reader, ...about });
  }
}
