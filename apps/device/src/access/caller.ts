import { AppError } from '@heliograph/kit';
import type { RecoveryAccess } from '@heliograph/wire';
import type { Author, RecoveryAuthor } from '../storage/write-log.ts';

/** The origin of a request, and the headers that accompany its credentials. */
export interface Origin {
  readonly via: Exclude<Author['via'], 'mqtt'>;
  /** The client's address; through the proxy the one that the proxy reports. */
  readonly address: string;
  /** `Site-Id` and `Site-Key` as they stand in the headers; the proxy's clients must send them. */
  readonly siteId: string | undefined;
  readonly siteKey: string | undefined;
  /** Whether a browser shows a page of another origin that asks, or one under a name that can be rebound to it. */
  readonly foreignPage: boolean;
}

/** The support recovery session that lets a caller in. */
export interface RecoveryCaller extends RecoveryAuthor {
  readonly access: RecoveryAccess;
  /** Expiry of the token, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The account behind a site token, and what the token was issued for. */
export interface TokenHolder {
  readonly userId: number;
  /** As `SiteTokenClaims` has it. */
  readonly source: string | null;
  readonly siteId: number;
}

/** An authorized client and its permissions. Every caller may read. */
export interface Caller extends Author {
  /** Null for all others. Beyond reading, `recovery-policy` decides what such a caller may do. */
  readonly recovery: RecoveryCaller | null;
  /** Null with the device password. */
  readonly token: TokenHolder | null;
  readonly address: string;
  /** Whether the caller may change settings of the hardware. */
  readonly mayWrite: boolean;
  /** Whether the caller may change the configuration of the device. */
  readonly mayConfigure: boolean;
  /** Whether the caller would still be let in, for connections that outlive their token or their site. */
  isStillAuthorized(): boolean;
}

/** The refusal of a write by a caller that may only read. */
export const READ_ONLY =
  'This token may only read: owners and admins change settings, with a token that has sites:write_all';

/** The refusal of a configuration by a caller that may write. */
export const NO_CONFIGURATION =
  'This token may change settings, but not configure the device: use the device password, or authorize again as an owner or admin of the site';

/** The refusal of what a support recovery session does not allow. */
export const BEYOND_RECOVERY = 'The support session does not allow this';

/** The refusal of a request whose caller's access ended after it was admitted. */
export const ACCESS_ENDED = 'Access has ended meanwhile: authorize again';

/** Too many wrong passwords from one address: 429, with the time until the next attempt. */
export class TooManyAttempts extends AppError {
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super(`Too many wrong passwords, try again in ${retryAfterS} s`, { code: 'too_many', status: 429 });
    this.retryAfterS = retryAfterS;
  }
}
