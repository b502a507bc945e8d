import type { Clock, Logger } from '@heliograph/kit';
import { fromKysely, PgBoss } from 'pg-boss';
import type { MailConfig } from '../../config/env.ts';
import type { Database } from '../../db/open.ts';

/** A mail to be written. It names its reader; the link in it is made when it is sent, so no job holds a secret. */
export type MailJob =
  /** The address of a new account is to be confirmed. */
  | { readonly kind: 'confirmation'; readonly userId: number; readonly organizationId: number | null }
  /** Somebody asked for a new password for this address, which may have no account. */
  | { readonly kind: 'reset'; readonly email: string; readonly organizationId: number | null }
  /** An account was made for somebody who sets the first password: for a site, or for an organization's team. */
  | {
      readonly kind: 'invitation';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly siteId: number | null;
      readonly invitedBy: number | null;
    };

const QUEUE = 'mail';

export interface MailOptions {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly mail: MailConfig;
  /** The cloud's public URL, below which links lie. */
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The mail queue, which lives in the database, and the worker that sends what is in it. */
export class MailService {
  readonly #boss: PgBoss;

  constructor({ databaseUrl, logger }: MailOptions) {
    this.#boss = new PgBoss({
      connectionString: databaseUrl,
      schema: 'jobs',
      max: 3,
      application_name: 'heliograph-mail',
    });
    this.#boss.on('error', (err) => logger.warn({ err }, 'the mail queue is in trouble'));
  }

  async start(): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(QUEUE);
  }

  /** Queues a mail as part of a transaction: it is sent if and only if that commits. */
  async enqueue(tx: Database, job: MailJob): Promise<void> {
    await this.#boss.send(QUEUE, job, { db: fromKysely(tx) });
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }
}
