import { AppError, type Clock, type Logger } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { SettingWriter } from '../../settings/setting-writer.ts';
import type { Author } from '../../storage/write-log.ts';
import type { BrokerMessage } from './broker/broker-connection.ts';
import type { BrokerTopics } from './broker/broker-topics.ts';
import type { ReplyPublisher } from './reply-publisher.ts';

const SAVED = 'Saved';

/** Writes that may wait; clients behind more of them would give up first. */
const MAX_WAITING = 16;

/** No setting takes a longer text, in characters: what is longer is not even kept until its turn. */
const MAX_TEXT_LENGTH = 256;

/** A client has given up after this time, in milliseconds: a write not begun by then is dropped. */
const MAX_WAIT_MS = 10_000;

/**
 * A publisher that lost its connection sends its last message again, and the broker hands it on like a new one.
 * Within this time the same text for the same setting is taken for that, in milliseconds.
 */
const REPEAT_MS = 10_000;

/** The person who let clients of the broker write. */
export interface WriteDelegation {
  /** Such as `user 12`; undefined for the household. */
  readonly author: () => string | undefined;
  /** Why the person's right has ended; undefined while it has not. */
  readonly suspended: () => string | undefined;
}

export interface SetRequestsOptions {
  readonly topics: BrokerTopics;
  readonly allowWrites: boolean;
  readonly delegation: WriteDelegation;
  /** The broker's address: MQTT 3.1.1 does not name the publisher. */
  readonly broker: string;
  readonly settings: SettingWriter;
  readonly snapshots: SnapshotSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Done {
  readonly text: string;
  readonly answer: string;
  readonly at: number;
  /** The setting's value then. */
  readonly value: MetricValue;
}

/**
 * Carries out what is published to `set` topics, one after the other in their order: the replies do not name
 * their request. Outlives connections, since a message may come again over the next one.
 */
export class SetRequests {
  readonly #options: SetRequestsOptions;
  readonly #done = new Map<string, Done>();
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: SetRequestsOptions) {
    this.#options = options;
  }

  /** Writes not begun when the connection ends are dropped: their outcome could not be reported. */
  receive(message: BrokerMessage, answers: ReplyPublisher): void {
    // That is how a retained message is deleted, so there is nothing to write.
    if (message.text === '') return;
    if (this.#waiting === MAX_WAITING) {
      answers.publish(`Error: ${MAX_WAITING} writes wait already`);
      return;
    }
    if (message.text.length > MAX_TEXT_LENGTH) {
      answers.publish(`Error: no setting takes a text of ${message.text.length} characters`);
      return;
    }
    const arrivedAt = this.#options.clock.monotonic();
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      if (!answers.ended) answers.publish(await this.#carryOut(message, arrivedAt));
      this.#waiting--;
    });
  }

  async #carryOut({ topic, text, retained }: BrokerMessage, arrivedAt: number): Promise<string> {
    const { topics, allowWrites, clock } = this.#options;
    const metric = topics.metricOf(topic);
    if (!allowWrites) return `Error: ${metric} was not written: writes over MQTT are switched off`;
    const suspended = this.#options.delegation.suspended();
    if (suspended !== undefined) return `Error: ${metric} was not written: ${suspended}`;
    if (retained) {
      return `Error: ${metric} was not written: the message is retained, so it would be written at every start`;
    }
    if (clock.monotonic() - arrivedAt > MAX_WAIT_MS) {
      return `Error: ${metric} was not written: earlier writes take too long`;
    }
    return this.#repeated(metric, text) ?? this.#write(metric, text);
  }

  /** The answer to a request that was carried out a moment ago, when nothing has changed the setting since. */
  #repeated(metric: string, text: string): string | undefined {
    const now = this.#options.clock.monotonic();
    for (const [other, { at }] of this.#done) if (now - at > REPEAT_MS) this.#done.delete(other);
    const done = this.#done.get(metric);
    return done?.text === text && done.value === this.#valueOf(metric) ? done.answer : undefined;
  }

  async #write(metric: string, text: string): Promise<string> {
    const { settings, broker, clock, delegation } = this.#options;
    const by = delegation.author();
    const author: Author = { name: `${by === undefined ? '' : `${by}, by `}MQTT ${broker}`, via: 'mqtt' };
    let answer = SAVED;
    try {
      await settings.set(metric, text, author);
    } catch (error) {
      answer = `Error: ${this.#reasonOf(error, metric)}`;
    }
    const value = this.#valueOf(metric);
    // Of topics that there are, so that made up ones take no memory.
    if (value !== undefined) this.#done.set(metric, { text, answer, at: clock.monotonic(), value });
    return answer;
  }

  #valueOf(metric: string): MetricValue | undefined {
    return this.#options.snapshots.current.samples.get(metric)?.value;
  }

  #reasonOf(error: unknown, metric: string): string {
    if (error instanceof AppError && error.expose) return error.message;
    this.#options.logger.error({ err: error, metric }, 'write over MQTT failed');
    return `${metric}: internal error`;
  }
}
