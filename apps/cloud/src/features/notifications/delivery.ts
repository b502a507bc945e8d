import type { Locale } from '@heliograph/contracts';
import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import { sql } from 'kysely';
import { type Notified, readNotified } from '../../db/notified.ts';
import type { Database } from '../../db/open.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import type { MailService } from '../mail/service.ts';
import { ntfyOf, type Posted, pushOf, telegramOf } from './channels.ts';
import { shortMessage } from './messages.ts';
import { countOpenAlerts } from './open-alerts.ts';
import type { NotificationSecrets } from './secrets.ts';

/** Mails of one transaction. */
const PEOPLE_AT_ONCE = 200;

/** Alerts and outages that one mail lists; the rest is on the page of alerts. */
const MOST_IN_MAIL = 50;

/** Messages of other channels that a process sends at the same time. */
const POSTS_AT_ONCE = 20;

/** A process that has not recorded an answer by then has died, in milliseconds. */
const LEASE_MS = 60_000;

/** Between attempts: from the first to the longest, in milliseconds. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 60 * 60_000;

/** Secrets of the cloud were replaced, and the channel, or the keys of all pushes, were sealed with an earlier one. */
const UNREADABLE = 'the channel cannot be read any more: set it up again';
const UNREADABLE_KEYS = 'the cloud cannot read its keys for push messages';

/** A fault of the cloud, whose log has the reason. */
const UNEXPECTED = 'the cloud could not send it';

/** A message that was not sent by then is no news, in milliseconds. */
const NEWS_MS = 3 * 24 * 60 * 60_000;

/**
 * Hands the mails that are due to the mail queue, one for all that a person is to know: in one transaction with their
 * state, so that each leaves once.
 *
 * @returns how many mails there were
 */
export function sendMails(db: Database, mail: MailService, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ userId: number; organizationId: number | null; ids: string[] }>`
      with due as (
        select id from notifications where state = 'waiting' and channel = 'mail' and due_at <= ${now}
        order by due_at limit ${PEOPLE_AT_ONCE * 10} for update skip locked
      ), sent as (
        update notifications set state = 'sent', sent_at = ${now}, attempts = 1
        where id in (select id from due) returning id, user_id, alert_id, outage_id
      )
      select sent.user_id as "userId", array_agg(sent.id order by sent.id) as ids,
        min(coalesce(sites.organization_id, outages.organization_id)) as "organizationId"
      from sent left join alerts on alerts.id = sent.alert_id left join sites on sites.id = alerts.site_id
        left join outages on outages.id = sent.outage_id
      group by sent.user_id`.execute(tx);
    for (const { userId, organizationId, ids } of rows) {
      const notificationIds = ids.slice(0, MOST_IN_MAIL);
      await mail.enqueue(tx, { kind: 'alerts', userId, organizationId, notificationIds });
    }
    return rows.length;
  });
}

/** A message under way. Its subscription, or its sealed channel, is gone when it is null. */
interface Underway {
  readonly id: string;
  readonly userId: number;
  readonly channel: 'push' | 'ntfy' | 'telegram';
  readonly doubtful: boolean;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly locale: Locale;
  readonly subscriptionId: number | null;
  readonly endpoint: string | null;
  readonly p256dh: Buffer | null;
  readonly auth: Buffer | null;
  readonly sealedNtfy: Buffer | null;
  readonly sealedTelegram: Buffer | null;
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
 * between the two, it is sent again, as a repetition.
 */
export class Posts {
  readonly #options: PostOptions;

  constructor(options: PostOptions) {
    this.#options = options;
  }

  /** Sends what is due. @returns how many messages there were */
  async run(): Promise<number> {
    const underway = await this.#claim();
    const handled = await Promise.allSettled(underway.map((message) => this.#handle(message)));
    for (const one of handled) if (one.status === 'rejected') throw one.reason;
    return underway.length;
  }

  async #claim(): Promise<readonly Underway[]> {
    const nowMs = this.#options.clock.now();
    const now = new Date(nowMs);
    const { rows } = await sql<Underway>`
      with due as (
        select id, state from notifications
        where state in ('waiting', 'sending') and channel <> 'mail' and due_at <= ${now}
        order by due_at limit ${POSTS_AT_ONCE} for update skip locked
      ), claimed as (
        update notifications set state = 'sending', attempts = attempts + 1, due_at = ${new Date(nowMs + LEASE_MS)},
          doubtful = doubtful or due.state = 'sending'
        from due where notifications.id = due.id returning notifications.*
      )
      select claimed.id, claimed.user_id as "userId", claimed.channel, claimed.doubtful, claimed.attempts, claimed.created_at as "createdAt",
        users.locale, subscriptions.id as "subscriptionId", subscriptions.endpoint, subscriptions.p256dh,
        subscriptions.auth, settings.sealed_ntfy as "sealedNtfy", settings.sealed_telegram as "sealedTelegram"
      from claimed join users on users.id = claimed.user_id
        left join notification_settings as settings on settings.user_id = claimed.user_id
        left join push_subscriptions as subscriptions on subscriptions.id = claimed.push_subscription_id
          and subscriptions.user_id = claimed.user_id`.execute(this.#options.db);
    return rows;
  }

  async #handle(message: Underway): Promise<void> {
    const outcome = await this.#attempt(message).catch((error: unknown): Outcome => {
      this.#options.logger.warn(
        { notification: message.id, reason: reasonOf(error) },
        'a message could not be sent',
      );
      return { is: 'retry', failure: UNEXPECTED };
    });
    if (outcome.is === 'gone' && message.subscriptionId !== null) {
      await this.#options.db
        .deleteFrom('push_subscriptions')
        .where('id', '=', message.subscriptionId)
        .execute();
      return;
    }
    const nowMs = this.#options.clock.now();
    const isRetried =
      (outcome.is === 'retry' || outcome.is === 'lost') && nowMs - message.createdAt.getTime() < NEWS_MS;
    await this.#options.db
      .updateTable('notifications')
      .set({
        state: isRetried
          ? 'waiting'
          : outcome.is === 'sent' || outcome.is === 'skipped'
            ? outcome.is
            : 'failed',
        ...(outcome.is === 'lost' && { doubtful: true }),
        ...(isRetried && { due_at: new Date(nowMs + retryMs(message.attempts)) }),
        sent_at: outcome.is === 'sent' ? new Date(nowMs) : null,
        failure: 'failure' in outcome ? outcome.failure : null,
      })
      .where('id', '=', message.id)
      .execute();
  }

  async #attempt(message: Underway): Promise<Outcome> {
    const { db, fetch, clock } = this.#options;
    const [notified] = await readNotified(db, [message.id], new Date(clock.now()));
    if (notified === undefined) return { is: 'skipped' };
    const posted = await this.#posted(message, notified);
    if (posted === 'unreadable') {
      return { is: 'refused', failure: message.channel === 'push' ? UNREADABLE_KEYS : UNREADABLE };
    }
    if (posted === undefined) return { is: 'skipped' };
    const connection = await fetch.connect(posted.address).catch((error: unknown) => reasonOf(error));
    if (typeof connection === 'string') return { is: 'retry', failure: connection };
    try {
      return outcomeOf(await connection.post(posted.headers, posted.body), message.channel);
    } catch (error) {
      return { is: 'lost', failure: reasonOf(error) };
    } finally {
      connection.close();
    }
  }

  /** @returns undefined where the channel is gone, 'unreadable' where no secret of this cloud sealed it, or the keys of pushes */
  async #posted(message: Underway, notified: Notified): Promise<Posted | 'unreadable' | undefined> {
    const { db, secrets, cloudUrl, brand, clock } = this.#options;
    const { channel, locale, doubtful: isRepetition } = message;
    const text = shortMessage(notified, { locale, brand, isRepetition });
    const { endpoint, p256dh, auth, sealedNtfy, sealedTelegram } = message;
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
    const openAlerts = await countOpenAlerts(db, message.userId);
    return pushOf({ ...text, openAlerts }, { endpoint, p256dh, auth }, service);
  }
}

function outcomeOf(status: number, channel: Underway['channel']): Outcome {
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (channel === 'push' && (status === 404 || status === 410)) return { is: 'gone' };
  const failure = `answered ${status}`;
  // A full quota is mended by the time; other refusals would be the same again.
  return { is: status >= 500 || status === 429 ? 'retry' : 'refused', failure };
}

/** With up to a tenth more, so that receivers that were away are not asked by all at the same time. */
function retryMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS) * (1 + Math.random() / 10);
}
