import type { RegisterSiteBody, SiteWithToken } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import { RegistrationCodeRequired, UnknownDevice } from '../../common/errors.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import { spendRegistrationCode } from '../../db/registration-codes.ts';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { organizationForNewSites } from '../../identity/users/home-organization.ts';
import type { SitePlatform } from '../platform.ts';
import { findRecord, type SiteRecord, selectSites } from './records.ts';
import { requireSiteName, withUniqueName } from './site-name.ts';
import { presentWithToken } from './with-token.ts';

/** Look-ups of uids that the caller cannot register. A page that waits for a device to come online polls twice a second. */
export const MISSES_BY_ADDRESS: RateRule = { name: 'site_uid_by_address', points: 120, durationS: 60 };
export const MISSES_BY_ACCOUNT: RateRule = { name: 'site_uid_by_account', points: 120, durationS: 60 };

/** @returns null for a field that is missing or empty */
export function typedCode(code: string | null | undefined): string | null {
  return code?.trim() ? code : null;
}

/**
 * Registers an activated device to the caller's account as a new site; the same account again gets the site
 * as it is.
 *
 * @throws NotFound for an unknown uid and for another account's device alike; Unprocessable while the device
 * is not activated; RegistrationCodeRequired for one that was released, without a valid code; ValidationError for a name that is taken or is no hostname; TooManyRequests, but never for
 * a site that is the account's already
 */
export async function registerSite(
  platform: SitePlatform,
  caller: Caller,
  { body }: InputOf<'registerSite'>,
): Promise<SiteWithToken> {
  const { db, proxies, limits } = platform;
  // The answer is in the account's list of sites anyway, so it does not count as an attempt.
  const own = await findOwnByDevice(db, caller, body.uid);
  if (own !== undefined) return presentWithToken(platform, caller, own);
  // Consumed first and returned on success: concurrent attempts do not evade the limit.
  await limits.consume(MISSES_BY_ADDRESS, caller.network);
  await limits.consume(MISSES_BY_ACCOUNT, String(caller.userId));
  const [directory, organizationId] = await Promise.all([
    proxies.directory(),
    organizationForNewSites(db, caller),
  ]);
  const code = typedCode(body.code);
  const claimed = await claim(platform, caller, { ...body, code }, directory, organizationId);
  if (claimed.outcome === 'inactive') throw new Unprocessable('The device is not activated yet');
  if (claimed.outcome === 'locked') throw new RegistrationCodeRequired(code !== null);
  const site = 'siteId' in claimed ? await findRecord(db, caller, claimed.siteId) : undefined;
  if (site?.ownerId !== caller.userId) throw new UnknownDevice();
  await limits.reward(MISSES_BY_ADDRESS, caller.network);
  await limits.reward(MISSES_BY_ACCOUNT, String(caller.userId));
  return presentWithToken(platform, caller, site);
}

/** The result of a claim; only `claimed` is a change. */
type Claim =
  | { readonly outcome: 'unknown' | 'inactive' | 'locked' }
  | { readonly outcome: 'registered' | 'claimed'; readonly siteId: number };

/**
 * Creates a site for an activated device that has none. One that was released takes a registration code, which is spent.
 *
 * @throws ValidationError for a name that is taken, or is no hostname: the claim is rolled back
 */
function claim(
  { db, clock }: SitePlatform,
  caller: Caller,
  { uid, name = null, description = null, code }: RegisterSiteBody & { readonly code: string | null },
  proxies: ProxyDirectory,
  organizationId: number | null,
): Promise<Claim> {
  const at = new Date(clock.now());
  return withUniqueName(db, async (tx) => {
    const device = await tx
      .selectFrom('devices')
      .select([
        'site_id as siteId',
        'former_site_id as formerSiteId',
        'activated_at as activatedAt',
        'revoked_at as revokedAt',
        'asked_region as requestedRegion',
      ])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirst();
    if (device === undefined) return { outcome: 'unknown' };
    if (device.siteId !== null) return { outcome: 'registered', siteId: device.siteId };
    // A revoked device would never come online.
    if (device.revokedAt !== null) return { outcome: 'unknown' };
    if (device.activatedAt === null) return { outcome: 'inactive' };
    if (device.formerSiteId !== null) {
      const isSpent = code !== null && (await spendRegistrationCode(tx, uid, code, at));
      if (!isSpent) return { outcome: 'locked' };
    }
    if (name !== null) requireSiteName(name, null);
    const organization = await openOrganization(tx, organizationId);
    const { id: siteId } = await tx
      .insertInto('sites')
      .values({
        name,
        description,
        region: proxies.regionForNewSite(device.requestedRegion),
        owner_id: caller.userId,
        organization_id: organization,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.updateTable('devices').set({ site_id: siteId }).where('uid', '=', uid).execute();
    await recordAudit(tx, actorOf(caller), at, {
      action: 'site.registered',
      organizationId: organization,
      siteId,
      userId: caller.userId,
      deviceUid: uid,
      details: { name },
    });
    return { outcome: 'claimed', siteId };
  });
}

/** The site of a device, if it is the caller's own. */
function findOwnByDevice(db: Database, caller: Caller, uid: string): Promise<SiteRecord | undefined> {
  return selectSites(db, caller)
    .where('devices.uid', '=', uid)
    .where('sites.owner_id', '=', caller.userId)
    .where(visibleTo(caller))
    .executeTakeFirst();
}
