import { type Logger, reasonOf } from '@heliograph/kit';
import type { MailService } from '../mail/service.ts';
import { type PostOptions, Posts, sendMails } from './delivery.ts';
import { beginIntake, escalate, takeEvents } from './intake.ts';

const INTERVAL_MS = 2_000;

const ESCALATION_INTERVAL_MS = 60_000;

export interface NotificationWorkerOptions extends PostOptions {
  readonly mail: MailService;
  readonly logger: Logger;
}

/** Makes messages to people of the feed of events, and sends those that are due. Several processes share the work. */
export class NotificationWorker {
  readonly #options: NotificationWorkerOptions;
  readonly #posts: Posts;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #escalatesAtMs = 0;
  #stopped = false;

  constructor(options: NotificationWorkerOptions) {
    this.#options = options;
    this.#posts = new Posts(options);
  }

  /** Begins with what happens from now on, unless a process has begun before. */
  async start(): Promise<void> {
    await beginIntake(this.#options.db);
    this.#schedule(() => this.#takeAndMail());
    // Apart, so that slow receivers hold up neither mails nor the intake.
    this.#schedule(() => this.#post());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #schedule(work: () => Promise<void>): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const run = this.#runOnce(work).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }, INTERVAL_MS);
    timer.unref();
    this.#timers.add(timer);
  }

  async #runOnce(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.logger.warn({ reason: reasonOf(error) }, 'people could not be notified of events');
    }
    this.#schedule(work);
  }

  async #takeAndMail(): Promise<void> {
    const { db, mail, clock } = this.#options;
    const now = new Date(clock.now());
    while (!this.#stopped && (await takeEvents(db, now)) > 0);
    if (clock.now() >= this.#escalatesAtMs) {
      this.#escalatesAtMs = clock.now() + ESCALATION_INTERVAL_MS;
      await escalate(db, now);
    }
    while (!this.#stopped && (await sendMails(db, mail, now)) > 0);
  }

  async #post(): Promise<void> {
    while (!this.#stopped && (await this.#posts.run()) > 0);
  }
}
