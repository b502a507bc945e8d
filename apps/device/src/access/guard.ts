import { Forbidden, type Logger, messageOf, Unauthorized } from '@heliograph/kit';
import {
  InvalidToken,
  type SiteTokenClaims,
  SiteTokenExpired,
  type SiteTokenVerifier,
  siteKeyMatches,
} from '@heliograph/wire';
import type { Caller, Origin } from './caller.ts';
import type { Credentials } from './credentials.ts';
import type { DevicePassword } from './device-password.ts';
import type { PageSessions } from './page-sessions.ts';
import { isWithin } from './recovery-policy.ts';
import type { RegisteredSite } from './registered-site.ts';
import type { SiteRevocations } from './site-revocations.ts';
import type { SupportSessions } from './support-sessions.ts';

export interface GuardOptions {
  readonly password: DevicePassword;
  readonly sessions: Pick<PageSessions, 'isGood'>;
  readonly tokens: SiteTokenVerifier;
  readonly site: RegisteredSite;
  readonly revocations: Pick<SiteRevocations, 'cover'>;
  readonly support: Pick<SupportSessions, 'admits' | 'arrived'>;
  readonly logger: Logger;
}

/** The refusal of every request to a device without a password. */
export const NO_PASSWORD =
  'This device has no password yet: open its address in a browser on the same network and set one';

const FOREIGN_PAGE = 'Pages of other origins may not use the device password: give them a site token';

/**
 * Lets callers in: with the device password or a session of its pages on the LAN, with a site token there and
 * through the proxy.
 *
 * Requests through the proxy are checked as strictly as if the proxy had checked nothing, and the password
 * opens nothing there: a stolen proxy cannot guess it, and has no more than the site tokens that pass through it. No caller
 * is let in before the device has a password, which can only be set from its network; support that its owner let in is,
 * as it may have removed the password.
 */
export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** @throws Unauthorized, TooManyAttempts, or Forbidden before a password is set */
  async admit(credentials: Credentials | undefined, origin: Origin): Promise<Caller> {
    const { isSet } = this.#options.password;
    if (!isSet && origin.via === 'lan') throw new Forbidden(NO_PASSWORD);
    if (credentials?.kind === 'token') return this.#withToken(credentials.token, origin);
    if (origin.via === 'proxy')
      throw isSet ? new Unauthorized('A site token is required') : new Forbidden(NO_PASSWORD);
    switch (credentials?.kind) {
      case 'password':
        return this.#withPassword(credentials.password, origin);
      case 'session':
        return this.#withSession(credentials.token, origin);
      default:
        throw new Unauthorized('The device password or a site token is required');
    }
  }

  /**
   * The caller of a token that was verified before, which nearly every request has; undefined for other credentials.
   *
   * @throws as {@link admit}
   */
  admitKnown(credentials: Credentials | undefined, origin: Origin): Caller | undefined {
    if (credentials?.kind !== 'token') return undefined;
    const claims = this.#options.tokens.cached(credentials.token);
    if (claims === undefined) return undefined;
    if (!this.#options.password.isSet && origin.via === 'lan') throw new Forbidden(NO_PASSWORD);
    return this.#holderOf(claims, origin);
  }

  async #withPassword(given: string, origin: Origin): Promise<Caller> {
    // Before it counts as an attempt: else any page that a browser of the home opens could lock its owner out.
    if (origin.foreignPage) throw new Forbidden(FOREIGN_PAGE);
    const { password } = this.#options;
    const { version } = password;
    if (!(await password.matches(given, origin.address))) throw new Unauthorized('Wrong password');
    return {
      name: 'local',
      via: origin.via,
      address: origin.address,
      mayWrite: true,
      mayConfigure: true,
      recovery: null,
      token: null,
      isStillAuthorized: () => password.version === version,
    };
  }

  #withSession(token: string, { via, address }: Origin): Caller {
    const { sessions } = this.#options;
    if (!sessions.isGood(token)) throw new Unauthorized('Signed out: sign in with the device password');
    return {
      name: 'local',
      isPerson: true,
      via,
      address,
      mayWrite: true,
      mayConfigure: true,
      recovery: null,
      token: null,
      isStillAuthorized: () => sessions.isGood(token),
    };
  }

  async #withToken(token: string, origin: Origin): Promise<Caller> {
    let claims: SiteTokenClaims;
    try {
      claims = await this.#options.tokens.verify(token);
    } catch (error) {
      throw this.#refusalOf(error, origin);
    }
    return this.#holderOf(claims, origin);
  }

  #holderOf(claims: SiteTokenClaims, origin: Origin): Caller {
    const { tokens, site, revocations, support, password } = this.#options;
    try {
      checkSite(claims, site.id, origin);
      const isRevoked = revocations.cover(claims);
      if (claims.recovery === null) {
        if (isRevoked) throw new Unauthorized(REVOKED);
      } else {
        if (origin.via === 'lan') throw new Unauthorized(TUNNEL_ONLY);
        if (isRevoked || !support.admits(claims.recovery)) throw new SupportEnded();
      }
    } catch (error) {
      throw this.#refusalOf(error, origin);
    }
    const { recovery } = claims;
    if (!password.isSet && recovery === null) throw new Forbidden(NO_PASSWORD);
    if (recovery !== null) support.arrived(recovery);
    const isGood = () => tokens.isValid(claims) && claims.siteId === site.id && !revocations.cover(claims);
    const { userId, source, siteId } = claims;
    const holder = { userId, source, siteId };
    const caller = { via: origin.via, address: origin.address, isPerson: claims.isPerson, token: holder };
    if (recovery === null)
      return {
        ...caller,
        name: `user ${claims.userId}`,
        mayWrite: claims.access === 'write',
        mayConfigure: claims.mayConfigure,
        recovery: null,
        isStillAuthorized: isGood,
      };
    const { sessionId, access, name } = recovery;
    const { expiresAt } = claims;
    return {
      ...caller,
      name: `support: ${name}, session ${sessionId}`,
      mayWrite: isWithin('settings', access),
      mayConfigure: isWithin('repair', access),
      recovery: { sessionId, access, expiresAt, userId: claims.userId },
      isStillAuthorized: () => isGood() && support.admits(recovery),
    };
  }

  /** The answer to the client, the reason in the log. @throws errors that are no fault of the token */
  #refusalOf(error: unknown, { address }: Origin): Unauthorized {
    const refusal = refusalOf(error);
    this.#options.logger.debug({ address, reason: messageOf(error) }, 'site token refused');
    return refusal;
  }
}

/** Only a client with a token that the cloud signed learns more. */
const REVOKED = 'The site token was revoked: authorize again';
const EXPIRED = 'The site token has expired: authorize again';
const TUNNEL_ONLY = 'A token of a support session is good through the service only';
const OTHER_SITE = 'The site token is for another site';
const INVALID = 'Invalid site token';

/** The support session of a token was ended in the cloud or on the device. */
export class SupportEnded extends Unauthorized {
  constructor() {
    super('The support session has ended, or the device lets no support in');
  }
}

/** The answer to the client. @throws errors that are no fault of the token */
function refusalOf(error: unknown): Unauthorized {
  if (error instanceof Unauthorized) return error;
  if (error instanceof SiteTokenExpired) return new Unauthorized(EXPIRED, error);
  if (error instanceof InvalidToken) return new Unauthorized(INVALID, error);
  throw error;
}

/** On the LAN clients send no site headers; through the proxy they must, and they must be right. */
function checkSite(claims: SiteTokenClaims, siteId: number | null, origin: Origin): void {
  if (claims.siteId !== siteId) throw new Unauthorized(OTHER_SITE);
  if (origin.via === 'lan') return;
  if (origin.siteId !== String(siteId)) throw new InvalidToken('Site-Id is missing or another');
  if (origin.siteKey === undefined || !siteKeyMatches(origin.siteKey, claims.keyDigest)) {
    throw new InvalidToken('Site-Key is missing or wrong');
  }
}
