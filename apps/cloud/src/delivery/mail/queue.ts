import { messageOf } from '@heliograph/kit';
import { fromKysely, type JobResult, PgBoss } from 'pg-boss';
import type { Database } from '../../db/open.ts';
import { databaseAddress } from '../../db/primary.ts';
import type { MailJob } from './jobs.ts';
import type { MailTiming } from './timing.ts';

const QUEUE = 'mail';

/** Mails that a process sends at the same time. */
const CONCURRENCY = 4;

/** Mails that a person waits for, such as links, and those about critical alerts leave before those about other alerts. */
const PRIORITIES = { ordinary: 0, urgent: 1 } as const;

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/** `retry`: the queue tries again later. */
export type SendOutcome = 'sent' | 'retry' | 'failed';

export interface QueuedMail {
  readonly id: string;
  readonly job: MailJob;
  /** The process of the attempt before fell silent: the mail may have been sent. */
  readonly isRepetition: boolean;
  /** Aborts when the job is no longer this process's. */
  readonly signal: AbortSignal;
}

export interface MailQueueOptions {
  readonly databaseUrl: string;
  readonly timing: MailTiming;
  readonly onError: (message: string) => void;
}

/** The queue of mails in PostgreSQL, shared by all processes; each mail goes to one of them. */
export class MailQueue {
  readonly #boss: PgBoss;
  readonly #timing: MailTiming;

  constructor({ databaseUrl, timing, onError }: MailQueueOptions) {
    this.#timing = timing;
    this.#boss = new PgBoss({
      ...databaseAddress(databaseUrl),
      schema: 'jobs',
      application_name: 'heliograph-mail',
      max: 2,
      useListenNotify: true,
      // No schedules, no dependent jobs, and a queue that never changes: their supervision runs rarely.
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

  /** Creates the queue if necessary; mails can be queued afterwards. */
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
    // Otherwise a queue that an older release created would retain its settings.
    await this.#boss.updateQueue(QUEUE, settings);
  }

  /** Hands out what is queued, from now on. */
  async work(send: (mail: QueuedMail) => Promise<SendOutcome>): Promise<void> {
    const { pollS } = this.#timing;
    const options = {
      // One that takes long holds up no other.
      batchSize: 1,
      localConcurrency: CONCURRENCY,
      burstWhenBatchFull: true,
      perJobResults: true,
      includeMetadata: true,
      pollingIntervalSeconds: pollS,
      // Due retries send no notification.
      notifyPollingIntervalSeconds: pollS,
    } as const;
    await this.#boss.work<MailJob, unknown, typeof options>(QUEUE, options, (jobs) =>
      Promise.all(
        jobs.map(async ({ id, data: job, signal, output }): Promise<JobResult> => {
          const outcome = await send({ id, job, signal, isRepetition: hasTimedOut(output) });
          return {
            id,
            status: outcome === 'sent' ? 'completed' : outcome === 'retry' ? 'failed' : 'deadletter',
          };
        }),
      ),
    );
  }

  /** Queues a mail as part of a transaction: it is sent if and only if that commits. */
  async add(tx: Database, job: MailJob): Promise<void> {
    const isUrgent = job.kind !== 'alerts' || job.isCritical;
    const priority = isUrgent ? PRIORITIES.urgent : PRIORITIES.ordinary;
    await this.#boss.send(QUEUE, job, { priority, db: fromKysely(tx) });
  }

  /** Stops taking jobs, and waits a while for mails in delivery. Unfinished ones are retried. */
  async stop(): Promise<void> {
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#timing.stopMs);
    await Promise.race([this.#boss.offWork(QUEUE), timeout]);
    clearTimeout(timer);
    await this.#boss.stop({ graceful: false });
  }
}

/** By the output that pg-boss stores with a job whose process did not report its end in time. */
function hasTimedOut(output: { readonly value?: { readonly message?: string } } | null): boolean {
  return output?.value?.message === 'job timed out';
}
