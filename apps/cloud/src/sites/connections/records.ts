import type { Scope } from '@heliograph/contracts';

/** A live grant. */
export interface ConnectionRecord {
  readonly id: string;
  readonly clientId: string;
  /** The name at the time of the consent. */
  readonly clientName: string;
  /** Null for an agent. */
  readonly organizationId: number | null;
  readonly organizationName: string | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Expiry of its last token. */
  readonly expiresAt: Date;
  /** Date and address of the last use of a token of it at the API. */
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
}

/** A connection for the user who consented, with the site. */
export interface OwnConnectionRecord extends ConnectionRecord {
  readonly siteId: number | null;
  /** Null also for a site that the user lost access to. */
  readonly siteName: string | null;
}

export interface ConsentingUserRecord {
  readonly userId: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A connection for the owner and admins of the site, with the user who consented. */
export interface SiteConnectionRecord extends ConnectionRecord, ConsentingUserRecord {}

/** An organization that may read a site. */
export interface ShareRecord {
  readonly organizationId: number;
  readonly organizationName: string;
  /** Null when the account that consented is gone. */
  readonly sharedBy: ConsentingUserRecord | null;
  readonly createdAt: Date;
}
