import type { Scope } from '@heliograph/contracts';

/** A live grant. */
export interface ConnectionRecord {
  readonly id: string;
  readonly clientId: string;
  /** As the consent page showed it. */
  readonly clientName: string;
  /** Null for an agent. */
  readonly organizationId: number | null;
  readonly organizationName: string | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** When the last token of it ends. */
  readonly expiresAt: Date;
  /** When a token of it was last used at the API, and from which address. */
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
}

/** With the site, to the user who consented. */
export interface OwnConnectionRecord extends ConnectionRecord {
  readonly siteId: number | null;
  /** Null also for a site that the user sees no more. */
  readonly siteName: string | null;
}

export interface ConsentingUserRecord {
  readonly userId: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** With who consented, to those whose site it is about. */
export interface SiteConnectionRecord extends ConnectionRecord, ConsentingUserRecord {}

/** An organization that may read a site. */
export interface ShareRecord {
  readonly organizationId: number;
  readonly organizationName: string;
  /** Null when the account that consented is gone. */
  readonly sharedBy: ConsentingUserRecord | null;
  readonly createdAt: Date;
}
