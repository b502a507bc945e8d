import { newToken, tokenHash } from '../common/secrets/opaque-token.ts';
import type { Database } from './open.ts';

export const ONE_TIME_PURPOSES = [
  'confirm',
  'reset',
  'invite',
  'email_change',
  'pending',
  'second_factor',
  'session',
  'bot_check',
] as const;
/**
 * Purposes: links in mails (`confirm`, `reset`, `invite`, `email_change`), the way in of an account that waits for
 * its confirmation (`pending`), a sign-in that waits for a second factor (`second_factor`), handing a session to
 * another page (`session`), a passed bot check.
 */
export type OneTimePurpose = (typeof ONE_TIME_PURPOSES)[number];

/** The links of mails to an address, which end with it. */
export const MAILED_TOKENS = [
  'confirm',
  'reset',
  'invite',
  'email_change',
] as const satisfies readonly OneTimePurpose[];

/** The ways into an account that end with its password. */
export const PASSWORD_TOKENS = [
  ...MAILED_TOKENS,
  'pending',
  'second_factor',
  'session',
] as const satisfies readonly OneTimePurpose[];

export interface OneTimeToken {
  readonly userId: number | null;
  readonly organizationId: number | null;
}

interface NewOneTimeToken extends OneTimeToken {
  /** Of a session that is handed over: the time of its last sign-in. */
  readonly authenticatedAt?: Date | null;
  /** Of a session that is handed over: its expiry. */
  readonly sessionExpiresAt?: Date | null;
  /** Of a sign-in that waits: where it came from. */
  readonly address?: string | null;
  readonly acceptsEmployment?: boolean;
  readonly acceptsSiteId?: number | null;
}

export interface StoredOneTimeToken extends OneTimeToken {
  /** Whether the first password that is set with it accepts the invitation to the organization's team. */
  readonly acceptsEmployment: boolean;
  /** The site whose invitation the first password accepts which is set with it. */
  readonly acceptsSiteId: number | null;
}

/** Makes a token and stores its digest. @returns the token, which is stored nowhere */
export async function issueOneTimeToken(
  db: Database,
  purpose: OneTimePurpose,
  {
    userId,
    organizationId,
    acceptsEmployment = false,
    acceptsSiteId = null,
    authenticatedAt = null,
    sessionExpiresAt = null,
    address = null,
  }: NewOneTimeToken,
  life: { readonly nowMs: number; readonly lifetimeMs: number },
): Promise<string> {
  const token = newToken('once');
  await db
    .insertInto('one_time_tokens')
    .values({
      hash: tokenHash(token),
      purpose,
      user_id: userId,
      organization_id: organizationId,
      accepts_employment: acceptsEmployment,
      accepts_site_id: acceptsSiteId,
      created_at: new Date(life.nowMs),
      expires_at: new Date(life.nowMs + life.lifetimeMs),
      authenticated_at: authenticatedAt,
      session_expires_at: sessionExpiresAt,
      address,
    })
    .execute();
  return token;
}

/** Looks a token up without spending it. @returns undefined when it is unknown, spent or expired */
export function readOneTimeToken(
  db: Database,
  purpose: OneTimePurpose,
  token: string,
  nowMs: number,
): Promise<
  | (StoredOneTimeToken & {
      readonly authenticatedAt: Date | null;
      readonly sessionExpiresAt: Date | null;
    })
  | undefined
> {
  return db
    .selectFrom('one_time_tokens')
    .select([
      'user_id as userId',
      'organization_id as organizationId',
      'accepts_employment as acceptsEmployment',
      'accepts_site_id as acceptsSiteId',
      'authenticated_at as authenticatedAt',
      'session_expires_at as sessionExpiresAt',
    ])
    .where('hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst();
}

/** Spends a token; of several callers at once exactly one gets it. @returns undefined when it cannot be spent */
export function spendOneTimeToken(
  db: Database,
  purpose: OneTimePurpose,
  token: string,
  nowMs: number,
): Promise<StoredOneTimeToken | undefined> {
  return db
    .updateTable('one_time_tokens')
    .set({ spent_at: new Date(nowMs) })
    .where('hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .returning([
      'user_id as userId',
      'organization_id as organizationId',
      'accepts_employment as acceptsEmployment',
      'accepts_site_id as acceptsSiteId',
    ])
    .executeTakeFirst();
}

/** Spends every token of an account that is for one of the purposes: a changed password ends older links. */
export async function spendTokensOf(
  db: Database,
  userId: number,
  purposes: readonly OneTimePurpose[],
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('one_time_tokens')
    .set({ spent_at: new Date(nowMs) })
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .where('spent_at', 'is', null)
    .execute();
}
