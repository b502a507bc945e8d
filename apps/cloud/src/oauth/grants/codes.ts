import { tokenHash } from '../../common/secrets/opaque-token.ts';
import { runPrepared } from '../../db/prepared-statements.ts';
import type { ServerPlatform } from '../../platform.ts';
import type { IdentityRecord } from '../identity/claims.ts';
import { ACCESS_TOKEN_LIFETIME_MS } from './grants.ts';
import { openContent, recordHash } from './record-contents.ts';
import type { CodeExchangeOutcome, FoundCode, NewAccessToken } from './records.ts';

/** The OAuth server's model name of codes. */
export const CODE_MODEL = 'AuthorizationCode';

interface CodeColumns {
  readonly sealed: Buffer;
  readonly consumedAt: Date | null;
  readonly grantId: string | null;
  readonly grant: Record<string, unknown> | null;
}

/** Without a grant there is no account either. */
type CodeRow = CodeColumns & (IdentityRecord | { readonly id: null });

interface ExchangeRow {
  readonly isLive: boolean;
  readonly isIssued: boolean;
  readonly siteId: number | null;
}

/** $1 model, $2 digest of the code, $3 now */
const FIND = `select sealed, consumed_at as "consumedAt", grant_id as "grantId",
    case when revoked_at is null and oauth_grants.expires_at > $3 and payload <> '{}' then payload end as "grant",
    users.id, email, first_name as "firstName", last_name as "lastName", locale,
    confirmed_at is not null as confirmed
  from oauth_records
    left join oauth_grants on oauth_grants.id = grant_id
    left join users on users.id = oauth_grants.user_id
  where model = $1 and hash = $2 and oauth_records.expires_at > $3`;

/** $1 model, $2 digest of the code, $3 grant, $4 now; of the token: $5 kind, $6 digest, $7 scopes, $8 end */
const EXCHANGE = `with live as (
    select id, user_id, site_id, organization_id from oauth_grants where id = $3 and revoked_at is null for key share
  ), consumed as (
    update oauth_records set consumed_at = $4 from live
    where model = $1 and hash = $2 and grant_id = live.id and consumed_at is null
    returning live.*
  ), issued as (
    insert into tokens
      (kind, hash, user_id, scopes, site_id, application_organization_id, grant_id, created_at, expires_at)
    select $5, $6, user_id, $7, site_id, organization_id, id, $4::timestamptz, $8::timestamptz from consumed
    returning site_id
  )
  select exists (select from live) as "isLive", exists (select from issued) as "isIssued",
    (select site_id from issued) as "siteId"`;

/** A code together with its grant. */
export async function findCode(
  { db, config, clock }: ServerPlatform,
  code: string,
): Promise<FoundCode | undefined> {
  const [row] = await runPrepared<CodeRow>(db, FIND, [CODE_MODEL, recordHash(code), new Date(clock.now())]);
  if (row === undefined) return undefined;
  const { sealed, consumedAt, grantId, grant, ...account } = row;
  return {
    payload: openContent(config.secret, sealed),
    consumedAt,
    grantId,
    grant: grant ?? undefined,
    account: account.id === null ? undefined : account,
  };
}

/**
 * Exchanges a code for a token: consumes the code and stores the token, both or neither. The grant is locked first, in the
 * same order as by a revocation.
 */
export async function exchangeCode(
  { db, clock }: ServerPlatform,
  code: string,
  token: NewAccessToken,
): Promise<CodeExchangeOutcome> {
  const at = new Date(clock.now());
  const expiresAt = new Date(at.getTime() + ACCESS_TOKEN_LIFETIME_MS);
  const [row] = await runPrepared<ExchangeRow>(db, EXCHANGE, [
    CODE_MODEL,
    recordHash(code),
    token.grantId,
    at,
    token.kind,
    tokenHash(token.value),
    [...token.scopes],
    expiresAt,
  ]);
  if (row?.isIssued) return { outcome: 'issued', siteId: row.siteId };
  return row?.isLive ? { outcome: 'consumed before' } : { outcome: 'grant ended' };
}
