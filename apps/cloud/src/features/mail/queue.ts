import { messageOf } from '@heliograph/kit';
import { fromKysely, type JobResult, PgBoss } from 'pg-boss';
import type { Database } from '../../db/open.ts';
import type { MailJob } from './jobs.ts';
import type { MailTiming } from './timing.ts';

const QUEUE = 'mail';

/** Mails that one process sends at a time. */
const BATCH_SIZE = 4;

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/** Tried again later, unless `final`. */
export type SendOutcome = 'sent' | 'again' | 'final';

export interface QueuedMail {
  readonly id: string;
  readonly job: MailJob;
  /** Aborts when the job is no longer this process's. */
  readonly signal: AbortSignal;
}

export interface MailQueueOptions {
  readonly databaseUrl: string;
  readonly timing: MailTiming;
  readonly onError: (message: string) => void;
}

/** Mails that wait, in PostgreSQL: shared by all processes, each mail given to one of them. */
export class MailQueue {
  readonly #boss: PgBoss;
  readonly #timing: MailTiming;

  constructor({ databaseUrl, timing, onError }: MailQueueOptions) {
    this.#timing = timing;
    this.#boss = new PgBoss({
      connectionString: databaseUrl,
      schema: 'jobs',
      application_name: 'heliograph-mail',
      max: 2,
      useListenNotify: true,
      // Nothing is scheduled, no job waits for others, and the queue never changes: what looks after those rests.
      schedule: false,
      flowIntervalSeconds: DAY_S,
      queueCacheIntervalSeconds: HOUR_S,
      bamIntervalSeconds: HOUR_S,
      superviseIntervalSeconds: timing.superviseS,
      monitorIntervalSeconds: timing.superviseS,
      maintenanceIntervalSeconds: HOUR_S,
    });
    this.#boss.on('error', (error) => onError(messageOf(error)));
    this.#boss.on('warning', ({ message }) => onError(message));
  }

  /** Makes the queue where there is none; mails can be queued afterwards. */
  async start(): Promise<void> {
    await this.#boss.start();
    const { firstRetryS, longestRetryS, retries, expiryS } = this.#timing;
    const settings = {
      retryLimit: retries,
      retryDelay: firstRetryS,
      retryBackoff: true,
      retryDelayMax: longestRetryS,
      expireInSeconds: expiryS,
      retentionSeconds: 14 * DAY_S,
      deleteAfterSeconds: DAY_S,
      notify: true,
    };
    await this.#boss.createQueue(QUEUE, settings);
    // A queue that an older release made keeps its settings otherwise.
    await this.#boss.updateQueue(QUEUE, settings);
  }

  /** Hands out what is queued, from now on. */
  async work(send: (mail: QueuedMail) => Promise<SendOutcome>): Promise<void> {
    const { pollS } = this.#timing;
    const options = {
      batchSize: BATCH_SIZE,
      burstWhenBatchFull: true,
      perJobResults: true,
      pollingIntervalSeconds: pollS,
      // Tries that are due are not notified of.
      notifyPollingIntervalSeconds: pollS,
    } as const;
    await this.#boss.work<MailJob, unknown, typeof options>(QUEUE, options, (jobs) =>
      Promise.all(
        jobs.map(async ({ id, data: job, signal }): Promise<JobResult> => {
          const outcome = await send({ id, job, signal });
          return {
            id,
            status: outcome === 'sent' ? 'completed' : outcome === 'again' ? 'failed' : 'deadletter',
          };
        }),
      ),
    );
  }

  /** Queues a mail as part of a transaction: it is sent if and only if that commits. */
  async add(tx: Database, job: MailJob): Promise<void> {
    await this.#boss.send(QUEUE, job, { db: fromKysely(tx) });
  }

  /** Takes no more, and waits a while for what is being sent. What is not done by then is for another try. */
  async stop(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#timing.stopMs);
    await Promise.race([this.#boss.offWork(QUEUE), late]);
    clearTimeout(timer);
    await this.#boss.stop({ graceful: false });
  }
}
