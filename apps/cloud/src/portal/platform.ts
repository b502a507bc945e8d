import type { Caller } from '../access/caller.ts';
import type { IdentityPlatform } from '../identity/platform.ts';

/** Ground of the pages' own operations. */
export interface PortalPlatform extends IdentityPlatform {
  /** Whether something is for sale to an account on the pages of a host. */
  readonly hasShop: (caller: Caller, host: string) => Promise<boolean>;
  /** Whether mails are shown on a page instead of being sent. */
  readonly hasMailbox: boolean;
}
