import { AppError } from '@heliograph/kit';
import type { Author } from '../storage/write-log.ts';

/** Where a request comes from, and what accompanies its credentials. */
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

/** Whoever was let in, and what they may do. Anyone who was let in may read. */
export interface Caller extends Author {
  readonly address: string;
  /** Whether the caller may change settings of the hardware. */
  readonly mayWrite: boolean;
  /** Whether the caller may change the configuration of the device. */
  readonly mayConfigure: boolean;
  /** Whether the caller would still be let in, for connections that outlive their token or their site. */
  isStillAuthorized(): boolean;
}

/** What a caller who may only read is told when they try to write. */
export const READ_ONLY =
  'This token may only read: owners and admins change settings, with a token that has sites:write_all';

/** What a caller who may write is told when they try to configure. */
export const NO_CONFIGURATION =
  'This token may change settings, but not configure the device: use the device password, or authorize again as an owner or admin of the site';

/** What a caller is told whose access ended after a request was let in. */
export const ACCESS_ENDED = 'Access has ended meanwhile: authorize again';

/** Too many wrong guesses from one address: 429, and when the next guess is heard. */
export class TooManyAttempts extends AppError {
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super(`Too many wrong passwords, try again in ${retryAfterS} s`, { code: 'too_many', status: 429 });
    this.retryAfterS = retryAfterS;
  }
}
