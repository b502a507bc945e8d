import { createHash } from 'node:crypto';
import { Backoff, type Clock, type Logger, messageOf, wait } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { FailureLog } from '../../common/failure-log.ts';
import type { NotificationConfig } from '../../config/notification-config.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import type { AlertStore, StoredAlert } from '../alert-store.ts';
import type { AlertWatch } from '../alert-watch.ts';
import { type AlertMessage, alertMessage, isAtLeast } from './alert-message.ts';
import type { AlertChannel } from './channel.ts';
import { NotTaken } from './not-taken.ts';

const KEY = 'notifications';

const PAGE_SIZE = 50;

/** A message that was not sent by then is no news, in milliseconds. */
const NEWS_MS = 3 * 24 * 3_600_000;

/** Alerts whose end was reported are remembered for as long as they may return. */
const MAX_CLEARED = 100;

/** How far a receiver has the alerts. */
interface Progress {
  /** Changes up to this revision were sent, or were none to send. */
  readonly revision: number;
  /** Ids of alerts whose beginning was sent, and whose end was not. */
  readonly open: readonly number[];
  /** Ids of alerts whose end was sent. */
  readonly cleared: readonly number[];
  /** The revision whose message was under way when the device stopped. */
  readonly sending?: number;
}

const STORED = Compile(
  Type.Object({
    revision: Type.Integer(),
    open: Type.Array(Type.Integer()),
    cleared: Type.Array(Type.Integer()),
    sending: Type.Optional(Type.Integer()),
  }),
);

export interface NotifierTimes {
  /** Between attempts: grows from the first to the second, in milliseconds. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
}

export interface NotifierOptions {
  readonly receiver: Pick<NotificationConfig, 'severity' | 'language'>;
  readonly channel: AlertChannel;
  readonly alerts: AlertStore;
  readonly watch: Pick<AlertWatch, 'subscribe'>;
  readonly store: KeyValueStore;
  /** Stands above each message: the name of the site. */
  readonly title: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times?: NotifierTimes;
}

/**
 * Sends the beginning and the end of each alert to one receiver, in order, each once: progress is stored before and after a
 * message, so that one whose answer was lost is sent again, as a repetition.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #key: string;
  readonly #backoff: Backoff;
  readonly #failureLog: FailureLog;
  readonly #stopping = new AbortController();
  #unsubscribe: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    const { channel, logger, times = { retryMinMs: 10_000, retryMaxMs: 10 * 60_000 } } = options;
    this.#key = `${KEY} ${createHash('sha256').update(channel.id).digest('base64url').slice(0, 16)}`;
    this.#backoff = new Backoff({ minMs: times.retryMinMs, maxMs: times.retryMaxMs });
    const { host } = channel;
    this.#failureLog = new FailureLog(
      logger,
      `alerts could not be sent to ${host}`,
      `alerts are sent to ${host} again`,
    );
  }

  start(): void {
    // A store that lost its alerts counts their revisions from the beginning.
    if ((this.#progress?.revision ?? Infinity) > this.#options.alerts.newestRevision)
      this.#save({ revision: this.#options.alerts.newestRevision, open: [], cleared: [] });
    this.#unsubscribe = this.#options.watch.subscribe(() => this.#wake?.());
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#stopping.abort();
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      try {
        await this.#sendAll(signal);
        this.#failureLog.succeeded();
        this.#backoff.reset();
        if (!signal.aborted) await promise;
      } catch (error) {
        if (signal.aborted) return;
        this.#failureLog.failed(new Error(messageOf(error)));
        await wait(this.#backoff.nextMs(), signal);
      }
    }
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    const { alerts } = this.#options;
    for (;;) {
      const changes = alerts.changesSince(this.#known.revision, PAGE_SIZE);
      if (changes.length === 0 || signal.aborted) return;
      for (const change of changes) await this.#send(change, signal);
    }
  }

  async #send(alert: StoredAlert, signal: AbortSignal): Promise<void> {
    const before = this.#known;
    const is = this.#newsOf(alert, before);
    if (is !== undefined) {
      const wasTried = before.sending === alert.revision;
      if (!wasTried) this.#save({ ...before, sending: alert.revision });
      await this.#publish(alertMessage(alert, is, this.#options.receiver.language, wasTried), signal);
    }
    const { open, cleared } = before;
    const others = open.filter((id) => id !== alert.id);
    this.#save({
      revision: alert.revision,
      open: is === 'raised' ? [...others, alert.id] : is === 'cleared' ? others : open,
      cleared: is === 'cleared' ? [...cleared, alert.id].slice(-MAX_CLEARED) : cleared,
    });
  }

  /** The news about an alert for the receiver; undefined where there is none. */
  #newsOf(alert: StoredAlert, { open, cleared }: Progress): AlertMessage['is'] | undefined {
    const { receiver, clock } = this.#options;
    if (open.includes(alert.id)) return alert.clearedAt === null ? undefined : 'cleared';
    const isOld = clock.now() - alert.lastAt > NEWS_MS && alert.clearedAt !== null;
    if (cleared.includes(alert.id) || isOld || !isAtLeast(alert.severity, receiver.severity))
      return undefined;
    // A person knows of it already.
    if (alert.acknowledgedAt !== null && alert.clearedAt === null) return undefined;
    return alert.clearedAt === null ? 'raised' : 'cleared';
  }

  async #publish(message: AlertMessage, signal: AbortSignal): Promise<void> {
    const { channel, title, logger } = this.#options;
    try {
      await channel.send(title(), message, signal);
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error;
      const { sending: _, ...rest } = this.#known;
      if (!error.isFinal) {
        this.#save(rest);
        throw error;
      }
      logger.warn({ reason: error.message }, 'a message about an alert was refused');
    }
  }

  get #known(): Progress {
    return this.#progress ?? { revision: 0, open: [], cleared: [] };
  }

  get #progress(): Progress | undefined {
    return this.#options.store.json(this.#key, STORED, undefined);
  }

  #save(progress: Progress): void {
    this.#options.store.set(this.#key, JSON.stringify(progress));
  }
}
