import type { AuditAction } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { sitePermissions } from '../../access/site-permissions.ts';
import { employs } from '../../access/visible-sites.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { grantSource, issueDate, recordSiteToken, tokenSource } from '../../db/site-tokens.ts';
import { lockTokenOf } from '../../identity/tokens/session-tokens.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import { joinRecoverySession } from '../../support/recovery-sessions/participation.ts';
import { findRecord, type SiteRecord } from './records.ts';

/** Lifetime of tokens of support recovery sessions, in milliseconds: clients ask again. */
const RECOVERY_TOKEN_MS = 15 * 60_000;

/** Lifetime of tokens for the cloud's own calls to a site, in milliseconds: longer than a call, as clocks differ. */
const OWN_CALL_MS = 5 * 60_000;

export interface SiteCredentials {
  readonly siteKey: string;
  readonly token: string;
}

/** Reads by one person within this time are one entry in the site's audit log, in milliseconds. */
const ONE_READ_MS = 60 * 60_000;

/** Sessions of one person within this time are one entry of access to settings: each sign-in is another session. */
const ONE_WRITER_MS = 24 * 60 * 60_000;

/**
 * Issues a token with the caller's access to the site; more access than before is recorded, that of a person's sessions
 * once a day, and the access of people who have no role on the site. A revocation that is in progress is waited for, as a token dated after it would outlive it.
 *
 * @throws NotFound when the caller does not see the site any more; Unauthorized when the caller's token or grant
 * was revoked
 */
export function issueCredentials(
  platform: ServerPlatform,
  caller: Caller,
  siteId: number,
): Promise<SiteCredentials> {
  const { db, clock, keys } = platform;
  return db.transaction().execute(async (tx) => {
    const site = orNotFound(await findAndLock(tx, caller, siteId));
    const source = await holdSource(platform, tx, caller);
    const permissions = sitePermissions(caller, site);
    const access = permissions.has('write') ? 'write' : 'read';
    const mayConfigure = permissions.has('configure');
    const { userId } = caller;
    const at = new Date(clock.now());
    const issuedAt = await issueDate(tx, { siteId, userId, source }, at);
    const recorded = mayConfigure ? 'configure' : access;
    const token = { source, siteId, userId, access: recorded, issuedAt } as const;
    const isMore = await recordSiteToken(tx, token);
    if (isMore && access === 'write') {
      const { organizationId } = site;
      const event = { action: 'site.write_authorized', siteId, organizationId } as const;
      const isRecorded =
        caller.kind === 'session' && (await wasRecorded(tx, caller, event, at.getTime() - ONE_WRITER_MS));
      if (!isRecorded) await recordAudit(tx, actorOf(caller), at, event);
    }
    await recordOutsideRead(tx, caller, site, at);
    const isPerson = caller.kind === 'session';
    const rights = { access, mayConfigure, isPerson } as const;
    const claims = { siteId, userId, ...rights, source, issuedAt: issuedAt.getTime() } as const;
    // A site token does not outlive the API token that it was issued for.
    const expiresAt = caller.kind === 'api' ? caller.expiresAt?.getTime() : undefined;
    return keys.authorizeSite({ ...claims, ...(expiresAt && { expiresAt }) }, site.keyVersion);
  });
}

/**
 * Issues a token for the support recovery session that lets the caller in. It reads for 15 minutes at most; what else
 * the session allows, the device decides by the claim.
 *
 * @throws NotFound, Unauthorized as `issueCredentials`; Forbidden without such a session
 */
export function issueRecoveryCredentials(
  platform: ServerPlatform,
  caller: Caller,
  siteId: number,
): Promise<SiteCredentials> {
  const { db, clock, keys } = platform;
  return db.transaction().execute(async (tx) => {
    const site = orNotFound(await findAndLock(tx, caller, siteId));
    const source = await holdSource(platform, tx, caller);
    const { userId } = caller;
    const at = new Date(clock.now());
    const issuedAt = await issueDate(tx, { siteId, userId, source }, at);
    const recovery = await joinRecoverySession(tx, caller, siteId, issuedAt);
    await recordSiteToken(tx, { source, siteId, userId, access: 'read', issuedAt });
    const expiresAt = Math.min(
      at.getTime() + RECOVERY_TOKEN_MS,
      recovery.until,
      caller.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    const isPerson = caller.kind === 'session';
    const claims = { siteId, userId, access: 'read', isPerson, source, recovery, expiresAt } as const;
    return keys.authorizeSite({ ...claims, issuedAt: issuedAt.getTime() }, site.keyVersion);
  });
}

/** A short-lived read-only token for calls of the cloud to the site on behalf of the caller. */
export function issueReadOnlyCredentials(
  { clock, keys }: ServerPlatform,
  caller: Caller,
  site: SiteRecord,
): Promise<SiteCredentials> {
  const expiresAt = clock.now() + OWN_CALL_MS;
  const claims = { siteId: site.id, userId: caller.userId, access: 'read', expiresAt } as const;
  return keys.authorizeSite(claims, site.keyVersion);
}

/** Records that the caller reads values of the site, where `issueCredentials` does not. */
export function recordRead({ db, clock }: Platform, caller: Caller, site: SiteRecord): Promise<void> {
  return recordOutsideRead(db, caller, site, new Date(clock.now()));
}

/**
 * Locks the caller's token or grant against revocation until the transaction ends, so that a later revocation finds
 * the new site token. The lock comes after that of the site, in the order of the transactions that revoke both.
 *
 * @returns the source that site tokens name
 */
async function holdSource({ clock }: Platform, tx: Database, caller: Caller): Promise<string> {
  if (caller.grantId === null) {
    await lockTokenOf(tx, caller, clock);
    return tokenSource(caller.tokenId);
  }
  const held = await tx
    .selectFrom('oauth_grants')
    .select('id')
    .where('id', '=', caller.grantId)
    .where('revoked_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (held === undefined) throw new Unauthorized('The token is invalid or has expired');
  return grantSource(caller.grantId);
}

/** As `findRecord`, with FOR SHARE locks on every row that grants the caller access. */
async function findAndLock(tx: Database, caller: Caller, id: number): Promise<SiteRecord | undefined> {
  await tx.selectFrom('sites').select('id').where('id', '=', id).forShare().execute();
  const employments = tx.selectFrom('organization_members as employees').select('organization_id');
  await employments.where(employs(caller)).forShare().execute();
  const account = tx
    .selectFrom('users')
    .select('staff')
    .where('id', '=', caller.userId)
    .where('staff', '=', true);
  const staff = caller.staff && (await account.forShare().executeTakeFirst()) !== undefined;
  // A statement of its own: one that waits for the locks has the snapshot of before the wait.
  return findRecord(tx, { ...caller, staff }, id);
}

/** Records in the site's audit log that an employee or operator without a role on the site reads it. */
async function recordOutsideRead(db: Database, caller: Caller, site: SiteRecord, at: Date): Promise<void> {
  if (site.role !== null) return;
  const event = {
    action: 'site.read_authorized',
    siteId: site.id,
    organizationId: site.organizationId,
  } as const;
  if (await wasRecorded(db, caller, event, at.getTime() - ONE_READ_MS)) return;
  await recordAudit(db, actorOf(caller), at, event);
}

/** Whether the same person has an entry of the same action on the site. @param sinceMs in milliseconds since 1970 */
async function wasRecorded(
  db: Database,
  { userId }: Caller,
  { action, siteId }: { readonly action: AuditAction; readonly siteId: number },
  sinceMs: number,
): Promise<boolean> {
  const known = await db
    .selectFrom('audit_events')
    .select('id')
    .where('site_id', '=', siteId)
    .where('action', '=', action)
    .where('actor_id', '=', userId)
    .where('at', '>', new Date(sinceMs))
    .limit(1)
    .executeTakeFirst();
  return known !== undefined;
}
