import type { ServerPlatform } from '../platform.ts';
import type { SignInFailures } from './accounts/sign-in-failures.ts';
import type { LastUsed } from './tokens/last-used.ts';

/** Ground of use cases that sign in or authenticate. What these note in the background outlives their requests. */
export interface IdentityPlatform extends ServerPlatform {
  readonly lastUsed: LastUsed;
  readonly signInFailures: SignInFailures;
}
