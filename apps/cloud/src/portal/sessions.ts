import type { PortalSession, PortalSignInBody, Session } from '@heliograph/contracts';
import { type Clock, NotFound, Unauthorized } from '@heliograph/kit';
import type { Caller } from '../access/caller.ts';
import type { ClientAddress } from '../common/client-address.ts';
import { signOut } from '../identity/accounts/sessions.ts';
import { signIn } from '../identity/accounts/sign-in.ts';
import type { IdentityPlatform } from '../identity/platform.ts';
import { authenticateSession, isLongInvalid } from '../identity/tokens/authentication.ts';
import { mayJoin } from '../identity/users/joined-organizations.ts';
import { getCurrentUser } from '../identity/users/own-account.ts';
import type { OrganizationService } from '../organizations/organizations/service.ts';
import type { PortalHome } from './home.ts';

export interface PortalSessionsOptions {
  readonly organizations: OrganizationService;
  readonly platform: IdentityPlatform;
  readonly home: PortalHome;
  /** Whether something is for sale to an account on the pages of a host. */
  readonly hasShop: (caller: Caller, host: string) => Promise<boolean>;
  /** Whether mails are shown on a page instead of being sent. */
  readonly hasMailbox: boolean;
  readonly mapTiles: PortalSession['map_tiles'];
  readonly clock: Clock;
}

/** Sessions of browsers, whose token is in a cookie. */
export class PortalSessions {
  readonly #options: PortalSessionsOptions;

  constructor(options: PortalSessionsOptions) {
    this.#options = options;
  }

  /**
   * The state that pages need before they render.
   *
   * @param token of the browser's cookie; an ended one counts as signed out
   * @param host of the page
   */
  async show(token: string | undefined, clientAddress: ClientAddress, host: string): Promise<PortalSession> {
    const { platform, organizations, home, hasShop, hasMailbox, mapTiles } = this.#options;
    const caller = await this.#callerOf(token, clientAddress);
    const [{ organization, isAtOwnHost }, user = null, employers, isShopOpen] = await Promise.all([
      home.at(host),
      caller && getCurrentUser(platform, caller).catch(unlessGone),
      caller === undefined ? [] : organizations.employersOf(caller),
      caller !== undefined && hasShop(caller, host),
    ]);
    const isStranger =
      caller !== undefined &&
      organization !== null &&
      isAtOwnHost &&
      (await mayJoin(platform.db, caller, organization.id));
    return {
      user,
      may_join: user !== null && isStranger,
      is_operator: caller?.staff === true && caller.organizationId === null,
      organizations: user === null ? [] : employers,
      home: organization,
      has_shop: user !== null && isShopOpen,
      has_mailbox: hasMailbox,
      map_tiles: mapTiles,
    };
  }

  /** @throws as signing in does anywhere: Unauthorized, Unconfirmed, ValidationError, TooManyRequests, Unavailable */
  signIn(body: PortalSignInBody, clientAddress: ClientAddress): Promise<Session> {
    return signIn(this.#options.platform, clientAddress, { body: { organization_id: 'none', ...body } });
  }

  /** Ends a session, unless it has ended meanwhile. */
  async end(token: string | undefined, clientAddress: ClientAddress): Promise<void> {
    const caller = await this.#callerOf(token, clientAddress);
    if (caller === undefined) return;
    try {
      await signOut(this.#options.platform, caller);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }

  /**
   * Whether a browser can drop a token: its session ended, and not just now. The answer could arrive after that of the
   * sign-in that ended the session, and would delete the new cookie.
   */
  hasEndedLongAgo(token: string): Promise<boolean> {
    return isLongInvalid(this.#options.platform, token);
  }

  /** Remaining lifetime of a session, in milliseconds. */
  lifetimeOf({ expires_at: end }: Session): number {
    return Date.parse(end) - this.#options.clock.now();
  }

  async #callerOf(token: string | undefined, clientAddress: ClientAddress): Promise<Caller | undefined> {
    return token === undefined
      ? undefined
      : authenticateSession(this.#options.platform, token, clientAddress);
  }
}

/** The account may be deleted concurrently. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof Unauthorized)) throw error;
}
