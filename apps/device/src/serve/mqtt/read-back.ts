import type { Logger } from '@heliograph/kit';
import {
  type BrokerConnection,
  SubscriptionEnded,
  SubscriptionUnanswered,
} from './broker/broker-connection.ts';

const CONFIG = /\/config$/;

const ENDS_CONNECTION =
  'the broker ends the connection when the device reads back what it publishes, so this is not checked any more: its rules refuse the device to read';

const NO_ANSWER = 'the broker does not answer when the device reads back what it publishes';

/** How long reading back takes, in milliseconds. */
export interface ReadBackTimes {
  /** The broker is taken to have sent all that it holds once it was silent for this long. */
  readonly quietMs: number;
  /** It is given up after this time. */
  readonly readBackMs: number;
}

export interface ReadBackOptions {
  readonly statusTopic: string;
  readonly times: ReadBackTimes;
  readonly logger: Logger;
  /** Aborts when the device stops. */
  readonly stopping: AbortSignal;
  /** Called with what is wrong on a connection; null once nothing is. */
  readonly onFound: (connection: BrokerConnection, reason: string | null) => void;
}

/** Messages that a broker was given. */
export interface Published {
  /** Texts by topic. */
  readonly published: ReadonlyMap<string, string>;
  /** The text of a topic that was published since, or then; undefined while it is published again. */
  readonly newest: (topic: string) => string | undefined;
}

/** Finds out what a broker drops: once for each connection, and again until nothing is wrong. */
export class ReadBack {
  readonly #options: ReadBackOptions;
  #isRunning = false;
  #passed: BrokerConnection | undefined;
  /** Length of the longest message that was read back on that connection, in bytes. */
  #passedBytes = 0;
  #loggedReason: string | null = null;
  #endsConnection = false;

  constructor(options: ReadBackOptions) {
    this.#options = options;
  }

  /** Why nothing is read back from this broker; null where it is. */
  get givenUp(): string | null {
    return this.#endsConnection ? ENDS_CONNECTION : null;
  }

  /** Never throws: whatever comes of it, the values are published. */
  async check(connection: BrokerConnection, given: Published): Promise<void> {
    if (this.#endsConnection || this.#isRunning) return;
    const bytes = Math.max(0, ...[...given.published.values()].map((text) => Buffer.byteLength(text)));
    if (this.#passed === connection && bytes <= this.#passedBytes) return;
    this.#isRunning = true;
    const reason = await this.#reason(connection, given);
    this.#isRunning = false;
    if (reason === undefined) return;
    if (reason === null) {
      this.#passed = connection;
      this.#passedBytes = bytes;
    }
    if (reason !== null && reason !== this.#loggedReason)
      this.#options.logger.warn({ reason }, 'MQTT messages do not arrive');
    this.#loggedReason = reason;
    this.#options.onFound(connection, reason);
  }

  /** @returns what is wrong; null where nothing is, undefined when that is not known */
  async #reason(connection: BrokerConnection, given: Published): Promise<string | null | undefined> {
    const { statusTopic, times, stopping } = this.#options;
    const late = AbortSignal.timeout(times.readBackMs);
    const signal = AbortSignal.any([stopping, late]);
    try {
      return await unreadable(connection, given, { statusTopic, quietMs: times.quietMs, signal });
    } catch (error) {
      if (stopping.aborted) return undefined;
      if (error instanceof SubscriptionEnded) {
        this.#endsConnection = true;
        return ENDS_CONNECTION;
      }
      return error === late.reason || error instanceof SubscriptionUnanswered ? NO_ANSWER : undefined;
    }
  }
}

interface UnreadableOptions {
  readonly statusTopic: string;
  readonly quietMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reads back what was published, since a broker does not say that it drops a message: MQTT 3.1.1 has no answer for that.
 *
 * @returns what is wrong; null where nothing is, undefined where that is not known, as a message has changed meanwhile
 * @throws as {@link BrokerConnection.retained} does
 */
async function unreadable(
  connection: BrokerConnection,
  { published, newest }: Published,
  { statusTopic, quietMs, signal }: UnreadableOptions,
): Promise<string | null | undefined> {
  const byLength = [...published]
    .toSorted(([, one], [, other]) => Buffer.byteLength(one) - Buffer.byteLength(other))
    .map(([topic]) => topic);
  const configs = byLength.filter((topic) => CONFIG.test(topic));
  const [short, long, longest] = [configs[0], configs.at(-1), byLength.at(-1)];
  const topics = [...new Set([statusTopic, short, long, longest])].filter((topic) => topic !== undefined);
  const held = await connection.retained(topics, quietMs, signal);
  if (held.size === 0) {
    return `the broker takes what the device publishes, and passes none of it on: its rules refuse ${statusTopic} to this client, for publishing or for reading`;
  }
  const bytesOf = (topic: string) => Buffer.byteLength(published.get(topic) ?? '');
  if (short && long && !held.has(long)) {
    if (!held.has(short)) {
      return `none of the announcements to Home Assistant can be read back: the broker's rules refuse ${short} to this client, or it keeps no message of ${bytesOf(short)} bytes`;
    }
    return `the broker keeps no message of ${bytesOf(long)} bytes, so entities are missing in Home Assistant: it limits the length of messages`;
  }
  // The broker may still hold a shorter text of before.
  if (longest === undefined || held.get(longest) === published.get(longest)) return null;
  if (newest(longest) !== published.get(longest)) return undefined;
  return `the broker keeps no message of ${bytesOf(longest)} bytes, so ${longest} is missing or out of date: it limits the length of messages`;
}
