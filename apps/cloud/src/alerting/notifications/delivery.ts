import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { GuardedFetch } from '../../common/outbound/guarded-fetch.ts';
import { type Notified, takeNotified } from '../../db/notified.ts';
import type { Database } from '../../db/open.ts';
import type { Work } from '../../delivery/due-work.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { GIVE_UP_MS, type RetrySteps, retryMs } from '../../delivery/retry.ts';
import { ntfyOf, type Posted, pushOf, TELEGRAM_HOST, telegramOf } from './channels.ts';
import { Connections, type Slot } from './connections.ts';
import { MessageQueue, type Turn, type Underway } from './message-queue.ts';
import { shortMessage } from './messages.ts';
import { countOpenAlerts } from './open-alerts.ts';
import type { NotificationSecrets } from './secrets.ts';

/** Mails of one transaction. */
const MAIL_BATCH_SIZE = 200;

/** Alerts and outages that one mail lists; the rest is on the page of alerts. */
const MAX_IN_MAIL = 50;

/** Of receivers that people chose, which may be away for long. */
const RETRIES: RetrySteps = {
  waitsMs: [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600].map((seconds) => seconds * 1_000),
  jitter: 0.1,
};

/** Secrets of the cloud were replaced, and the channel, or the keys of all pushes, were sealed with an earlier one. */
const UNREADABLE = 'the channel cannot be read any more: set it up again';
const UNREADABLE_KEYS = 'the cloud cannot read its keys for push messages';

/** A fault of the cloud, whose log has the reason. */
const UNEXPECTED = 'the cloud could not send it';

/**
 * Hands the mails that are due to the mail queue, one for all that a person is to know: in one transaction with their
 * state, so that each leaves once.
 *
 * @returns how many mails there were
 */
export function sendMails(db: Database, mail: Pick<MailService, 'enqueue'>, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      userId: number;
      organizationId: number | null;
      ids: string[];
      isCritical: boolean;
    }>`
      with due as (
        select id from notifications where state = 'waiting' and channel = 'mail' and due_at <= ${now}
        order by due_at limit ${MAIL_BATCH_SIZE * 10} for update skip locked
      ), sent as (
        update notifications set state = 'sent', sent_at = ${now}, attempts = 1
        where id in (select id from due) returning id, user_id, urgency, alert_id, outage_id
      )
      select sent.user_id as "userId", array_agg(sent.id order by sent.urgency desc, sent.id) as ids,
        bool_or(sent.urgency = 3) as "isCritical",
        min(coalesce(sites.organization_id, outages.organization_id)) as "organizationId"
      from sent left join alerts on alerts.id = sent.alert_id left join sites on sites.id = alerts.site_id
        left join outages on outages.id = sent.outage_id
      group by sent.user_id`.execute(tx);
    for (const { userId, organizationId, ids, isCritical } of rows) {
      const notificationIds = ids.slice(0, MAX_IN_MAIL);
      await mail.enqueue(tx, { kind: 'alerts', userId, organizationId, notificationIds, isCritical });
    }
    return rows.length;
  });
}

/** The outcome of an attempt; `lost`: the receiver may have taken it, as no answer came. */
type Outcome =
  | { readonly is: 'sent' | 'skipped' | 'gone' }
  | { readonly is: 'refused' | 'retry' | 'lost'; readonly failure: string };

export interface PostOptions {
  readonly db: Database;
  readonly fetch: GuardedFetch;
  readonly secrets: NotificationSecrets;
  /** The cloud's public URL. */
  readonly cloudUrl: () => string;
  /** The name of the service. */
  readonly brand: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sends messages by push, ntfy and Telegram. One is marked before it leaves and after its answer: where a process dies
 * between the two, it is sent again, as a repetition. Each connection that ends makes room for the next message.
 */
export class Posts implements Work {
  readonly name = 'messages about alerts';
  readonly #options: PostOptions;
  readonly #queue: MessageQueue;
  readonly #connections = new Connections();
  readonly #underway = new Set<Promise<void>>();
  #isFilling = false;
  #isWanted = false;
  #isStopped = false;

  constructor(options: PostOptions) {
    this.#options = options;
    this.#queue = new MessageQueue(options.db, options.clock);
  }

  async begin(): Promise<void> {
    if (!(await this.#options.secrets.replaceUnreadablePushKeys())) return;
    this.#options.logger.warn(
      'no secret of this cloud reads the keys of push messages, which are replaced: people must turn messages on again in their browsers',
    );
  }

  isDue(now: Date): RawBuilder<SqlBool> {
    return this.#queue.isDue(now);
  }

  /** Begins to send what is due, as far as connections are free. */
  async run(): Promise<void> {
    this.#isWanted = true;
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        for (const isFailing of [false, true])
          this.#isWanted = (await this.#claim(isFailing)) || this.#isWanted;
      }
    } finally {
      this.#isFilling = false;
    }
  }

  /** Resolves when no message is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#underway);
  }

  /** @returns whether there may be more */
  async #claim(isFailing: boolean): Promise<boolean> {
    const slots = new Map<number, Slot>();
    const { messages, hasMore } = await this.#queue
      .claim({
        isFailing,
        limit: this.#connections.free(isFailing),
        full: this.#connections.full(),
        admit: (turn) => {
          const slot = this.#connections.take(turn, this.#serverOf(turn), isFailing);
          if (typeof slot === 'string') return slot;
          slots.set(turn.queueId, slot);
          return 'claim';
        },
      })
      .catch((error: unknown) => {
        for (const slot of slots.values()) this.#connections.release(slot);
        throw error;
      });
    for (const message of messages) {
      const slot = slots.get(message.queueId);
      if (slot === undefined) continue;
      slots.delete(message.queueId);
      const work = this.#handle(message, slot.turn)
        .catch((error: unknown) => this.#warn(message, error))
        .then(() => {
          this.#connections.release(slot);
          this.#underway.delete(work);
          return this.run();
        })
        // Due work is looked for each second in any case.
        .catch((error: unknown) => this.#warn(message, error));
      this.#underway.add(work);
    }
    for (const slot of slots.values()) this.#connections.release(slot);
    return hasMore;
  }

  /** Host and port; empty where the channel is gone, or cannot be read. */
  #serverOf({ channel, endpoint, sealedNtfy }: Turn): string {
    if (channel === 'telegram') return TELEGRAM_HOST;
    const { secrets } = this.#options;
    const address = channel === 'push' ? endpoint : sealedNtfy && secrets.unsealNtfy(sealedNtfy)?.url;
    return URL.parse(address ?? '')?.host ?? '';
  }

  #warn({ id }: Underway, error: unknown): void {
    this.#options.logger.warn({ notification: id, reason: reasonOf(error) }, 'a message could not be sent');
  }

  async #handle(message: Underway, turn: Turn): Promise<void> {
    const outcome = await this.#attempt(message, turn).catch((error: unknown): Outcome => {
      this.#warn(message, error);
      return { is: 'retry', failure: UNEXPECTED };
    });
    if (outcome.is === 'gone' && turn.subscriptionId !== null) return this.#queue.forget(turn.subscriptionId);
    const nowMs = this.#options.clock.now();
    const hasNoAnswer = outcome.is === 'retry' || outcome.is === 'lost';
    const isRetried = hasNoAnswer && nowMs - message.createdAt.getTime() < GIVE_UP_MS;
    await this.#queue.finish(message, {
      state: isRetried
        ? 'waiting'
        : outcome.is === 'sent' || outcome.is === 'skipped'
          ? outcome.is
          : 'failed',
      dueAt: isRetried ? new Date(nowMs + retryMs(RETRIES, message.attempts)) : message.dueAt,
      sentAt: outcome.is === 'sent' ? new Date(nowMs) : null,
      failure: 'failure' in outcome ? outcome.failure : null,
      isDoubtful: outcome.is === 'lost',
      isFailing: hasNoAnswer ? true : outcome.is === 'sent' ? false : undefined,
    });
  }

  async #attempt(message: Underway, turn: Turn): Promise<Outcome> {
    const { db, clock } = this.#options;
    const [notified] = await takeNotified(db, [message.id], new Date(clock.now()));
    if (notified === undefined) return { is: 'skipped' };
    const posted = await this.#posted(turn, notified, message.doubtful);
    if (posted === 'unreadable')
      return { is: 'refused', failure: turn.channel === 'push' ? UNREADABLE_KEYS : UNREADABLE };
    return posted === undefined ? { is: 'skipped' } : this.#post(posted, turn.channel);
  }

  async #post({ address, headers, body }: Posted, channel: Turn['channel']): Promise<Outcome> {
    const connection = await this.#options.fetch.connect(address).catch((error: unknown) => reasonOf(error));
    if (typeof connection === 'string') return { is: 'retry', failure: connection };
    try {
      return outcomeOf(await connection.post(headers, body), channel);
    } catch (error) {
      return { is: 'lost', failure: reasonOf(error) };
    } finally {
      connection.close();
    }
  }

  /** @returns undefined where the channel is gone, 'unreadable' where no secret of this cloud sealed it, or the keys of pushes */
  async #posted(
    turn: Turn,
    notified: Notified,
    isRepetition: boolean,
  ): Promise<Posted | 'unreadable' | undefined> {
    const { db, secrets, cloudUrl, brand, clock } = this.#options;
    const { channel, locale, endpoint, p256dh, auth, sealedNtfy, sealedTelegram } = turn;
    const text = shortMessage(notified, { locale, brand, isRepetition });
    if (channel === 'ntfy') {
      if (sealedNtfy === null) return undefined;
      const ntfy = secrets.unsealNtfy(sealedNtfy);
      return ntfy === undefined ? 'unreadable' : ntfyOf(text, ntfy, cloudUrl());
    }
    if (channel === 'telegram') {
      if (sealedTelegram === null) return undefined;
      const telegram = secrets.unsealTelegram(sealedTelegram);
      return telegram === undefined ? 'unreadable' : telegramOf(text, telegram, cloudUrl());
    }
    if (endpoint === null || p256dh === null || auth === null) return undefined;
    const keys = await secrets.pushKeys();
    if (keys === undefined) return 'unreadable';
    const service = { keys, contact: cloudUrl(), nowMs: clock.now() };
    const openAlerts = await countOpenAlerts(db, turn.userId);
    return pushOf({ ...text, openAlerts }, { endpoint, p256dh, auth }, service);
  }
}

function outcomeOf(status: number, channel: Turn['channel']): Outcome {
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (channel === 'push' && (status === 404 || status === 410)) return { is: 'gone' };
  const failure = `answered ${status}`;
  // A full quota is mended by the time; other refusals would be the same again.
  return { is: status >= 500 || status === 429 ? 'retry' : 'refused', failure };
}
