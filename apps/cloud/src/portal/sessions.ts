import type { PortalSession } from '@heliograph/contracts';
import { NotFound, Unauthorized } from '@heliograph/kit';
import type { Caller } from '../access/caller.ts';
import type { ClientAddress } from '../common/client-address.ts';
import { signOut } from '../identity/accounts/sessions.ts';
import type { IdentityPlatform } from '../identity/platform.ts';
import { authenticateSession } from '../identity/tokens/authentication.ts';
import { mayJoin } from '../identity/users/joined-organizations.ts';
import { getCurrentUser } from '../identity/users/own-account.ts';
import { employersOf } from '../organizations/organizations/organizations.ts';
import { portalHomeAt } from './home.ts';
import type { PortalPlatform } from './platform.ts';

/**
 * The state that pages need before they render.
 *
 * @param token of the browser's cookie; an ended one counts as signed out
 * @param host of the page
 */
export async function getPortalSession(
  platform: PortalPlatform,
  token: string | undefined,
  clientAddress: ClientAddress,
  host: string,
): Promise<PortalSession> {
  const { db, config, hasShop, hasMailbox } = platform;
  const caller = await callerOf(platform, token, clientAddress);
  const [{ organization, isAtOwnHost }, user = null, employers, isShopOpen] = await Promise.all([
    portalHomeAt(platform, host),
    caller && getCurrentUser(platform, caller).catch(unlessGone),
    caller === undefined ? [] : employersOf(platform, caller),
    caller !== undefined && hasShop(caller, host),
  ]);
  const isStranger =
    caller !== undefined &&
    organization !== null &&
    isAtOwnHost &&
    (await mayJoin(db, caller, organization.id));
  return {
    user,
    may_join: user !== null && isStranger,
    is_operator: caller?.staff === true && caller.organizationId === null,
    organizations: user === null ? [] : employers,
    home: organization,
    has_shop: user !== null && isShopOpen,
    has_mailbox: hasMailbox,
    map_tiles: config.mapTiles,
  };
}

/** Ends a session, unless it has ended meanwhile. */
export async function endPortalSession(
  platform: IdentityPlatform,
  token: string | undefined,
  clientAddress: ClientAddress,
): Promise<void> {
  const caller = await callerOf(platform, token, clientAddress);
  if (caller === undefined) return;
  try {
    await signOut(platform, caller);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

async function callerOf(
  platform: IdentityPlatform,
  token: string | undefined,
  clientAddress: ClientAddress,
): Promise<Caller | undefined> {
  return token === undefined ? undefined : authenticateSession(platform, token, clientAddress);
}

/** The account may be deleted concurrently. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof Unauthorized)) throw error;
}
