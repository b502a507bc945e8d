import type { Session, SessionTokenAnswer } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { SecondFactorRequired } from '../../common/errors.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/tables/identity.ts';
import type { Platform } from '../../platform.ts';
import { revokeOwnToken } from '../tokens/own-tokens.ts';
import { lockTokenOf, newSession } from '../tokens/session-tokens.ts';
import { type OrganizationName, presentUser, type UserRecord } from '../users/present.ts';
import { startPendingSignIn } from './pending-sign-ins.ts';
import type { AccountRecord } from './records.ts';
import { type SignInMeans, storeSession } from './store-session.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A network is unknown again when the account has not signed in from it for this long. */
const KNOWN_FOR_MS = 90 * DAY_MS;

/** Networks per day of an account that are worth a mail. */
const MAX_PER_DAY = 5;

/**
 * True for a sign-in from a network, an IPv4 /24 or an IPv6 /48, that the account has not signed in from lately. False
 * for the very first sign-in, and beyond a number of networks a day.
 *
 * @param network the client's network
 */
async function isUnknownNetwork(db: Database, userId: number, network: string, at: Date): Promise<boolean> {
  const ago = (ms: number) => new Date(at.getTime() - ms);
  const prefix = sql`network(set_masklen(${network}::inet, case family(${network}::inet) when 4 then 24 else 48 end))`;
  const seen = await db
    .selectFrom('known_addresses')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where address <<= ${prefix} and seen_at > ${ago(KNOWN_FOR_MS)}))::int`.as(
        'near',
      ),
      sql<number>`(count(*) filter (where seen_at > ${ago(DAY_MS)}))::int`.as('today'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return seen.all > 0 && seen.near === 0 && seen.today < MAX_PER_DAY;
}

/** A cheap check before `isUnknownNetwork`: false when the account lately signed in from this very address. */
function mayBeUnknown(seenHereAt: Date | null, at: Date): boolean {
  return seenHereAt === null || at.getTime() - seenHereAt.getTime() >= KNOWN_FOR_MS;
}

function presentSession(
  token: string,
  expiresAtMs: number,
  user: UserRecord,
  organization: OrganizationName | null,
): Session {
  return { token, expires_at: new Date(expiresAtMs).toISOString(), user: presentUser(user, organization) };
}

const HANDOVER_LIFETIME_MS = 60_000;

/** Known networks are dated to the day. */
const SEEN_PRECISION_MS = 24 * 60 * 60 * 1000;

/** A mailed link proves access to the mailbox, and the account is notified of its effect anyway. */
const BY_MAIL: readonly SignInMeans[] = ['confirmation', 'reset', 'invitation'];

export interface SessionOpening {
  /** As read before the transaction: an account that has got a second factor since is refused. */
  readonly account: AccountRecord;
  /** The organization that the session is restricted to. */
  readonly organization: OrganizationName | null;
  readonly client: ClientAddress;
  readonly means: SignInMeans;
  /** Null as long as no second factor was verified. */
  readonly factor: SecondFactorProof | null;
  /** The user's last authentication; now by default. */
  readonly authenticatedAt?: Date | null;
  /** In 30 days when it is left out or null. */
  readonly expiresAt?: Date | null;
}

/** A session, or the error that asks for a second factor first. */
export type SignInOutcome = Session | SecondFactorRequired;

/**
 * Runs a sign-in as one transaction.
 *
 * @throws SecondFactorRequired after the commit: a password is set, and then the second factor is required
 */
export async function openInTransaction(
  db: Database,
  work: (tx: Database) => Promise<SignInOutcome>,
): Promise<Session> {
  const outcome = await db.transaction().execute(work);
  if (outcome instanceof SecondFactorRequired) throw outcome;
  return outcome;
}

/** Opens a session in a transaction that has locked the account, or starts a pending sign-in. */
export async function openSession(
  platform: Platform,
  tx: Database,
  opening: SessionOpening,
): Promise<SignInOutcome> {
  const { account, organization, client, factor } = opening;
  if (factor === null && (account.hasSecondFactor || account.isSecondFactorRequired))
    return startPendingSignIn(platform, tx, account, organization, client);
  const isUnknown = await isFromUnknownNetwork(platform, tx, opening);
  const session = await store(platform, tx, opening, null);
  if (session === undefined) throw new Unauthorized('The account has changed meanwhile: sign in again');
  if (isUnknown) await mailUnknownNetwork(platform, tx, opening);
  return session;
}

/**
 * Opens a session once the password is verified.
 *
 * @param passwordHash the hash that the password was verified against
 * @returns undefined when the account has another one by now, or a second factor that was not verified
 */
export async function openWithPassword(
  platform: Platform,
  opening: SessionOpening,
  passwordHash: string,
): Promise<Session | undefined> {
  const { db } = platform;
  if (!(await isFromUnknownNetwork(platform, db, opening))) {
    return store(platform, db, opening, passwordHash);
  }
  return db.transaction().execute(async (tx) => {
    const session = await store(platform, tx, opening, passwordHash);
    if (session !== undefined) await mailUnknownNetwork(platform, tx, opening);
    return session;
  });
}

async function isFromUnknownNetwork(
  { clock }: Platform,
  db: Database,
  { account, client, means }: SessionOpening,
): Promise<boolean> {
  const at = new Date(clock.now());
  if (client.network === null || BY_MAIL.includes(means) || !mayBeUnknown(account.lastSeenFromNetworkAt, at))
    return false;
  return isUnknownNetwork(db, account.id, client.network, at);
}

function mailUnknownNetwork(
  { mail, clock }: Platform,
  tx: Database,
  { account, organization, client }: SessionOpening,
): Promise<void> {
  return mail.enqueue(tx, {
    kind: 'unknownNetwork',
    userId: account.id,
    organizationId: organization?.id ?? account.organizationId,
    at: new Date(clock.now()).toISOString(),
    address: client.address,
  });
}

async function store(
  { clock }: Platform,
  db: Database,
  opening: SessionOpening,
  passwordHash: string | null,
): Promise<Session | undefined> {
  const { account, organization, client, means, factor } = opening;
  const session = newSession(clock);
  const { authenticatedAt = session.createdAt } = opening;
  const expiresAt = opening.expiresAt ?? session.expiresAt;
  const seenAgoMs = session.createdAt.getTime() - (account.lastSeenFromNetworkAt?.getTime() ?? 0);
  const stored = await storeSession(db, {
    ...session,
    expiresAt,
    userId: account.id,
    passwordHash,
    organizationId: organization?.id ?? null,
    address: client.address,
    means,
    factor,
    authenticatedAt,
    networkToStore: seenAgoMs > SEEN_PRECISION_MS ? client.network : null,
  });
  return stored ? presentSession(session.token, expiresAt.getTime(), account, organization) : undefined;
}

/** Creates a token that opens a session like the caller's on another page. @throws Unauthorized */
export function handOverSession({ db, clock }: Platform, caller: Caller): Promise<SessionTokenAnswer> {
  const { userId, organizationId, authenticatedAt, expiresAt } = caller;
  const lifetime = { nowMs: clock.now(), lifetimeMs: HANDOVER_LIFETIME_MS };
  return db.transaction().execute(async (tx) => {
    await lockTokenOf(tx, caller, clock);
    const handover = { userId, organizationId, authenticatedAt, sessionExpiresAt: expiresAt };
    const token = await issueOneTimeToken(tx, 'session', handover, lifetime);
    return { session_token: token };
  });
}

/** @throws NotFound when the session has ended meanwhile */
export function signOut(platform: Platform, caller: Caller): Promise<void> {
  return revokeOwnToken(platform, caller, 'session', caller.tokenId);
}
