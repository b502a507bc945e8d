import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { type CheckResult, Readiness } from '@heliograph/telemetry';
import { sql } from 'kysely';
import type { DatabaseDisk } from '../../db/database-disk.ts';
import type { Database } from '../../db/open.ts';
import { mailBacklog } from './database-figures.ts';
import type { PublicCertificate } from './public-certificate.ts';

/** A mail that waits for longer than this is a sign that none is sent, in milliseconds. */
const MAIL_WAIT_MS = 15 * 60_000;

export interface CloudReadinessOptions {
  readonly db: Database;
  readonly disk: DatabaseDisk;
  readonly certificate: PublicCertificate;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The rows of the cloud's readiness. Only the database keeps it from serving. */
export function cloudReadiness({ db, disk, certificate, clock, logger }: CloudReadinessOptions): Readiness {
  // Both rows of one request wait for one query.
  let pending: ReturnType<typeof databaseCheck> | undefined;
  const database = () => {
    pending ??= databaseCheck(db, logger).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return new Readiness({
    database: () => database().then(({ result }) => result),
    disk: async () => disk.check((await database()).isReached),
    mails: () => mailCheck(db, clock),
    certificate: () => certificate.check(),
  });
}

interface DatabaseState {
  readonly isReached: boolean;
  readonly result: CheckResult;
}

async function databaseCheck(db: Database, logger: Logger): Promise<DatabaseState> {
  try {
    const { rows } = await sql<{ read_only: boolean }>`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only`.execute(db);
    const result: CheckResult =
      rows[0]?.read_only === false
        ? { status: 'ok', detail: 'The database answers' }
        : { status: 'failed', detail: 'The database takes no writes: it is a standby, or read-only' };
    return { isReached: true, result };
  } catch (error) {
    logger.warn({ reason: messageOf(error) }, 'not ready: the database does not answer');
    return { isReached: false, result: { status: 'failed', detail: 'The database does not answer' } };
  }
}

async function mailCheck(db: Database, clock: Clock): Promise<CheckResult> {
  try {
    const { oldestAt } = await mailBacklog(db);
    if (oldestAt === null || clock.now() - oldestAt.getTime() < MAIL_WAIT_MS)
      return { status: 'ok', detail: 'Mails are sent' };
    return { status: 'warning', detail: 'A mail has waited for more than 15 minutes' };
  } catch {
    return { status: 'warning', detail: 'The mail queue cannot be read' };
  }
}
