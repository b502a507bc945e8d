import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../mail/service.ts';
import { sendMails } from './delivery.ts';
import { beginIntake, takeEvents } from './intake.ts';

const INTERVAL_MS = 2_000;

export interface NotificationWorkerOptions {
  readonly db: Database;
  readonly mail: MailService;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes messages to people of the feed of events, and sends those that are due. Several processes share the work. */
export class NotificationWorker {
  readonly #options: NotificationWorkerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: NotificationWorkerOptions) {
    this.#options = options;
  }

  /** Begins with what happens from now on, unless a process has begun before. */
  async start(): Promise<void> {
    await beginIntake(this.#options.db);
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#runOnce();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  async #runOnce(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.#options.logger.warn({ reason: reasonOf(error) }, 'people could not be notified of events');
    }
    this.#schedule();
  }

  async run(): Promise<void> {
    const { db, mail, clock } = this.#options;
    const now = new Date(clock.now());
    while (!this.#stopped && (await takeEvents(db, now)) > 0);
    while (!this.#stopped && (await sendMails(db, mail, now)) > 0);
  }
}
