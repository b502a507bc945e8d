import type { Clock, Logger } from '@heliograph/kit';
import type { CloudConfig } from './common/config/env.ts';
import type { RateLimits } from './common/limits/rate-limits.ts';
import type { GuardedFetch } from './common/outbound/guarded-fetch.ts';
import type { PasswordHashing } from './common/secrets/password-hashing.ts';
import type { Database } from './db/open.ts';
import type { MailService } from './delivery/mail/service.ts';
import type { SigningKeys } from './signing-keys/signing-keys.ts';

/** The queue of mails, which a transaction adds to. */
export type Mails = Pick<MailService, 'enqueue'>;

/** Ground of use cases, which are functions `(platform, caller, input)`; the operator's command line has it, too. */
export interface Platform {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mail: Mails;
  readonly limits: RateLimits;
  readonly hashing: PasswordHashing;
  /** The cloud's public URL, below which links lie. */
  readonly cloudUrl: () => string;
}

/** Ground of use cases that need the cloud's configuration or its secret. */
export interface ServerPlatform extends Platform {
  readonly config: CloudConfig;
  /** Requests to hosts that other people name. */
  readonly internet: GuardedFetch;
  readonly keys: SigningKeys;
}
