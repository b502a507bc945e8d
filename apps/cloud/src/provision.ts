import { API_TOKEN_SCOPES } from '@heliograph/contracts';
import { ConfigError, systemClock } from '@heliograph/kit';
import { sql } from 'kysely';
import { SERVICE } from './access/caller.ts';
import { requireEmail } from './common/require-email.ts';
import { TOKEN_PREFIXES, tokenHash } from './common/secrets/opaque-token.ts';
import { PasswordHashing } from './common/secrets/password-hashing.ts';
import { type AuditEvent, recordAudit } from './db/audit.ts';
import { hasEmail } from './db/has-email.ts';
import { migrate } from './db/migrate.ts';
import { spendTokensOf } from './db/one-time-tokens.ts';
import { type Database, openDatabase } from './db/open.ts';
import { provideProxyCredential } from './devices/proxies/credentials.ts';

export interface ProvisionOptions {
  readonly databaseUrl: string;
  readonly organization: { readonly name: string };
  readonly account: {
    readonly email: string;
    readonly password: string;
    readonly firstName: string;
    readonly lastName: string;
    /** An API token made by the caller: `hga_` and at least 32 unpredictable characters. */
    readonly apiToken: string;
  };
  /** Proxies and their credentials, made by the caller: `hgp_` and 43 unpredictable characters. */
  readonly proxies?: readonly { readonly name: string; readonly credential: string }[];
}

export interface Provisioned {
  readonly organizationId: number;
  readonly userId: number;
}

const MIN_TOKEN_LENGTH = TOKEN_PREFIXES.api.length + 32;

/**
 * Prepares a database for its first use, or brings what it made before up to date: the schema, an organization,
 * and a confirmed account that is an admin of the organization and an operator of the service, with a password
 * and an API token of every scope that belongs to no organization; and the credentials of proxies. Running it again
 * changes only what differs.
 *
 * @throws ConfigError for an invalid token or credential
 */
export async function provision(options: ProvisionOptions): Promise<Provisioned> {
  const { apiToken } = options.account;
  if (!apiToken.startsWith(TOKEN_PREFIXES.api) || apiToken.length < MIN_TOKEN_LENGTH) {
    throw new ConfigError(`The API token must be ${TOKEN_PREFIXES.api} and 32 characters or more`);
  }
  // A connection that breaks while idle fails the next query with an error.
  const { db, close } = openDatabase(options.databaseUrl, () => undefined);
  try {
    await migrate(options.databaseUrl);
    const passwordHash = await passwordHashFor(db, options.account);
    for (const { name, credential } of options.proxies ?? []) {
      await provideProxyCredential({ db, clock: systemClock }, SERVICE, name, credential);
    }
    return await db.transaction().execute(async (tx) => {
      await sql`lock table organizations, users in share row exclusive mode`.execute(tx);
      const organizationId = await ensureOrganization(tx, options.organization.name);
      const userId = await ensureAccount(tx, options.account, passwordHash);
      await ensureMembership(tx, organizationId, userId);
      await ensureApiToken(tx, userId, apiToken);
      return { organizationId, userId };
    });
  } finally {
    await close();
  }
}

async function ensureOrganization(db: Database, name: string): Promise<number> {
  const found = await db
    .selectFrom('organizations')
    .select('id')
    .where(sql`folded(name)`, '=', sql`folded(${name})`)
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  const added = await db
    .insertInto('organizations')
    .values({ name })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(db, { action: 'organization.created', organizationId: added.id, details: { name } });
  return added.id;
}

/** The hash that is stored, if it is of this password, else a new one; made before anything is locked. */
async function passwordHashFor(
  db: Database,
  { email, password }: ProvisionOptions['account'],
): Promise<string> {
  const stored = (await accountAt(db, email))?.passwordHash ?? null;
  const hashing = new PasswordHashing();
  const unchanged = stored !== null && (await hashing.matches(stored, password));
  return unchanged ? stored : hashing.hash(password);
}

function accountAt(db: Database, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash', sql<boolean>`confirmed_at is not null`.as('confirmed')])
    .where(hasEmail(email))
    .executeTakeFirst();
}

async function ensureAccount(
  db: Database,
  { email, firstName, lastName }: ProvisionOptions['account'],
  passwordHash: string,
): Promise<number> {
  const found = await accountAt(db, email);
  const state = { first_name: firstName, last_name: lastName, password_hash: passwordHash, staff: true };
  if (found === undefined) {
    const added = await db
      .insertInto('users')
      .values({ email: requireEmail(email), ...state, confirmed_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await record(db, { action: 'account.created', userId: added.id, details: { staff: true } });
    return added.id;
  }
  await db
    .updateTable('users')
    .set({ ...state, confirmed_at: sql`coalesce(confirmed_at, now())` })
    .where('id', '=', found.id)
    .execute();
  // Tokens of a stranger who registered the address must not sign in.
  if (!found.confirmed) await spendTokensOf(db, found.id, ['confirm', 'pending'], Date.now());
  return found.id;
}

async function ensureMembership(db: Database, organizationId: number, userId: number): Promise<void> {
  const added = await db
    .insertInto('organization_members')
    .values({ organization_id: organizationId, user_id: userId, role: 'admin' })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (added === undefined) return;
  const details = { from: null, to: 'admin' };
  await record(db, { action: 'organization_member.added', organizationId, userId, details });
}

async function ensureApiToken(db: Database, userId: number, token: string): Promise<void> {
  const hash = tokenHash(token);
  // A revoked token gets a new id, because proxies and devices refuse site tokens issued for the old one.
  await db.deleteFrom('tokens').where('hash', '=', hash).where('revoked_at', 'is not', null).execute();
  const known = await db.selectFrom('tokens').select('id').where('hash', '=', hash).executeTakeFirst();
  const state = { user_id: userId, scopes: [...API_TOKEN_SCOPES], organization_id: null };
  if (known !== undefined) {
    await db.updateTable('tokens').set(state).where('id', '=', known.id).execute();
    return;
  }
  const { id } = await db
    .insertInto('tokens')
    .values({ kind: 'api', hash, created_at: new Date(), ...state })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(db, {
    action: 'token.created',
    userId,
    details: { id, kind: 'api', scopes: API_TOKEN_SCOPES },
  });
}

function record(db: Database, event: AuditEvent): Promise<void> {
  return recordAudit(db, SERVICE, new Date(), event);
}
