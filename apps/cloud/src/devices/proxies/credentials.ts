import type { AuditAction } from '@heliograph/contracts';
import { ConfigError, NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { newToken, TOKEN_PREFIXES, tokenHash } from '../../common/secrets/opaque-token.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';

type Ground = Pick<Platform, 'db' | 'clock'>;

export interface ProxyCredentialRecord {
  readonly id: number;
  readonly proxyName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: string | null;
}

/** The secret is stored as a digest alone. */
export const CREDENTIAL_COLUMNS = [
  'id',
  'proxy_name as proxyName',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'last_used_from as lastUsedFrom',
] as const;

/** A new credential; its secret is shown only once. */
export interface NewProxyCredential {
  readonly id: number;
  readonly proxyName: string;
  readonly credential: string;
}

/** Credentials of one proxy at a time: the one in use, and the one that will replace it. */
const MAX_CREDENTIALS = 2;

/** A label of a host name, as PROXY_NAME of the proxy. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const CREDENTIAL = new RegExp(`^${TOKEN_PREFIXES.proxy}[\\w-]{43}$`);

/** By proxy, the oldest first. @param proxyName all proxies when left out */
export function listProxyCredentials(db: Database, proxyName?: string): Promise<ProxyCredentialRecord[]> {
  return db
    .selectFrom('proxy_credentials')
    .select(CREDENTIAL_COLUMNS)
    .$if(proxyName !== undefined, (all) => all.where('proxy_name', '=', proxyName ?? ''))
    .orderBy(sql`proxy_name collate natural_order`)
    .orderBy('id')
    .execute();
}

/**
 * Creates the first credential of a proxy.
 *
 * @throws ValidationError for an invalid name; Unprocessable for a proxy that has a credential
 */
export async function addProxyCredential(
  platform: Ground,
  actor: Actor,
  proxyName: string,
): Promise<NewProxyCredential> {
  if (!NAME.test(proxyName)) {
    throw new ValidationError({ name: ['must be lower-case letters, digits and hyphens'] });
  }
  return create(platform, actor, proxyName, ({ length }) => {
    if (length > 0) throw new Unprocessable(`${proxyName} has a credential: rotate it`);
  });
}

/**
 * Creates the credential that will replace the one in use, which stays valid until it is revoked.
 *
 * @throws NotFound for a proxy without one; Unprocessable for one that has two
 */
export function rotateProxyCredential(
  platform: Ground,
  actor: Actor,
  proxyName: string,
): Promise<NewProxyCredential> {
  return create(platform, actor, proxyName, ({ length }) => {
    if (length === 0) throw new NotFound();
    if (length >= MAX_CREDENTIALS) {
      throw new Unprocessable(`${proxyName} has ${length} credentials: revoke one of them first`);
    }
  });
}

/**
 * Makes a given credential the only one of a proxy; no change when it is stored already.
 *
 * @throws ConfigError when it is not of the form of a credential
 */
export async function provideProxyCredential(
  platform: Ground,
  actor: Actor,
  proxyName: string,
  credential: string,
): Promise<void> {
  if (!CREDENTIAL.test(credential)) {
    throw new ConfigError(`The credential of a proxy must be ${TOKEN_PREFIXES.proxy} and 43 characters`);
  }
  const hash = tokenHash(credential);
  await platform.db.transaction().execute(async (tx) => {
    await lockCredentials(tx);
    const id = await insertCredential(tx, proxyName, hash, new Date(platform.clock.now()));
    if (id === undefined) return;
    const others = (await listProxyCredentials(tx, proxyName)).filter((other) => other.id !== id);
    for (const other of others) await remove(platform, tx, actor, proxyName, other.id);
    await record(platform, tx, actor, 'proxy.credential_created', proxyName, id);
  });
}

/**
 * Revokes a credential, or all of a proxy: the next request with it is refused.
 *
 * @returns the ids of the revoked ones @throws NotFound when there is none
 */
export async function revokeProxyCredentials(
  platform: Ground,
  actor: Actor,
  proxyName: string,
  id?: number,
): Promise<number[]> {
  return platform.db
    .transaction()
    .execute((tx) => revokeProxyCredentialsIn(platform, tx, actor, proxyName, id));
}

/** The same as part of a transaction. */
export async function revokeProxyCredentialsIn(
  platform: Ground,
  tx: Database,
  actor: Actor,
  proxyName: string,
  id?: number,
): Promise<number[]> {
  const revoked = await remove(platform, tx, actor, proxyName, id);
  if (revoked.length === 0) throw new NotFound();
  return revoked;
}

async function create(
  platform: Ground,
  actor: Actor,
  proxyName: string,
  requireAllowed: (present: readonly ProxyCredentialRecord[]) => void,
): Promise<NewProxyCredential> {
  const credential = newToken('proxy');
  return platform.db.transaction().execute(async (tx) => {
    await lockCredentials(tx);
    requireAllowed(await listProxyCredentials(tx, proxyName));
    const id = await insertCredential(tx, proxyName, tokenHash(credential), new Date(platform.clock.now()));
    if (id === undefined) throw new Error('A new credential is not new');
    await record(platform, tx, actor, 'proxy.credential_created', proxyName, id);
    return { id, proxyName, credential };
  });
}

async function remove(
  platform: Ground,
  tx: Database,
  actor: Actor,
  proxyName: string,
  id?: number,
): Promise<number[]> {
  const deleted = await tx
    .deleteFrom('proxy_credentials')
    .where('proxy_name', '=', proxyName)
    .$if(id !== undefined, (all) => all.where('id', '=', id ?? 0))
    .returning('id')
    .execute();
  const ids = deleted.map((credential) => credential.id);
  for (const each of ids) await record(platform, tx, actor, 'proxy.credential_revoked', proxyName, each);
  return ids;
}

function record(
  { clock }: Ground,
  tx: Database,
  actor: Actor,
  action: AuditAction,
  name: string,
  id: number,
): Promise<void> {
  return recordAudit(tx, actor, new Date(clock.now()), { action, details: { name, credential_id: id } });
}

/** Locks the table against changes until the transaction ends. */
async function lockCredentials(tx: Database): Promise<void> {
  await sql`lock table proxy_credentials in share row exclusive mode`.execute(tx);
}

/** @returns its id; undefined when there is one with the digest */
async function insertCredential(
  tx: Database,
  proxyName: string,
  hash: Buffer,
  at: Date,
): Promise<number | undefined> {
  const added = await tx
    .insertInto('proxy_credentials')
    .values({ proxy_name: proxyName, hash, created_at: at, last_used_at: null, last_used_from: null })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}
