import { Backoff, type Clock, type Logger, messageOf, wait } from '@heliograph/kit';
import { BrokerConnection, SubscriptionRefused, SubscriptionUnanswered } from './broker-connection.ts';
import type { BrokerRecord, BrokerRecords } from './broker-records.ts';
import { clearRetained, STATUS } from './clear-retained.ts';

/** A broker that was not reached for so long is given up, in milliseconds. */
const GIVEN_UP_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** Right after a start the configured broker is not reached yet: attempts that do not decide about a device that was off for long. */
const MIN_ATTEMPTS = 3;

const CURRENT_NOT_REACHED = 'the configured broker is not reached';

/** By chance the connection can end at that moment as well. */
const DISPLACEMENTS_THAT_PROVE = 2;

const DISPLACED = 'the connection to the configured broker ended when that to the former one began';

const ENDED_SOON = 'the connection to the configured broker ended soon after it was made';

const KEPT_BACK = 'the broker does not pass the status on';

/** The text by which a connection finds out whether its own messages arrive; as a status it means nothing. */
const PROBE = 'probe';

/** Whether two addresses lead to one broker, or why that is not known. */
type Sameness = 'same' | 'other' | { readonly unknown: string };

/** How long the removal waits, in milliseconds. */
export interface FormerBrokerTimes {
  /** Between attempts to reach a broker: grows from the first to the second. */
  readonly retryMinMs: number;
  readonly formerRetryMaxMs: number;
  /** The broker is taken to have sent all that it holds once it was silent for this long. */
  readonly quietMs: number;
}

type ConnectionOptions = Parameters<typeof BrokerConnection.open>[0];

/** The connection to the configured broker. */
export interface CurrentBroker {
  readonly statusTopic: string;
  /** Publishes the status again. @returns false while there is no connection */
  announce(): Promise<boolean>;
  /** Resolves once the present connection has ended; undefined while there is none. */
  readonly ended: Promise<unknown> | undefined;
  /** Whether the present connection has lasted for so long that it hardly ends by itself. */
  readonly isStable: boolean;
}

export interface FormerBrokersOptions {
  readonly records: BrokerRecords;
  readonly uid: string;
  /** That of the device on its broker: connecting with it ends what the broker still takes for a session of this device. */
  readonly clientId: string;
  readonly current: CurrentBroker | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times: FormerBrokerTimes;
}

/** Removes what this device published to brokers that are no longer configured, as soon as each can be reached. */
export class FormerBrokers {
  readonly #options: FormerBrokersOptions;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(options: FormerBrokersOptions) {
    this.#options = options;
  }

  start(): void {
    const { former } = this.#options.records;
    this.#running ??= Promise.all(former.map((record) => this.#run(record, this.#stopping.signal)));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(record: BrokerRecord, stopping: AbortSignal): Promise<void> {
    const { records, clock, logger, times } = this.#options;
    // Each reason is logged once. Right after a start the configured broker is not reached yet, as a rule.
    const logged = new Set([CURRENT_NOT_REACHED]);
    const backoff = new Backoff({ minMs: times.retryMinMs, maxMs: times.formerRetryMaxMs });
    let displacements = 0;
    for (let attempts = 1; !stopping.aborted; attempts++) {
      const reason = await this.#attempt(record, stopping).catch(messageOf);
      if (reason === undefined || stopping.aborted) return;
      if (reason === DISPLACED) displacements++;
      if (displacements === DISPLACEMENTS_THAT_PROVE) {
        records.mergeIntoCurrent(record);
        return;
      }
      const isTooSoon = reason === CURRENT_NOT_REACHED && attempts < MIN_ATTEMPTS;
      if (!isTooSoon && isOverdue(record, clock.now())) {
        logger.warn({ reason }, 'the topics on a former MQTT broker are given up');
        records.forget(record.url);
        return;
      }
      if (!logged.has(reason))
        logger.warn({ reason }, 'the topics on a former MQTT broker are not removed yet');
      logged.add(reason);
      await wait(backoff.nextMs(), stopping);
    }
  }

  /** @returns why it has to be repeated; undefined once it is done @throws why the broker cannot be reached, or refuses */
  async #attempt(record: BrokerRecord, stopping: AbortSignal): Promise<string | undefined> {
    const { records, current } = this.#options;
    let kept: ReadonlySet<string> = new Set();
    if (current !== undefined) {
      const sameness = await this.#sameness(record, current, stopping);
      if (sameness === 'same') {
        records.mergeIntoCurrent(record);
        return undefined;
      }
      if (sameness !== 'other') return sameness.unknown;
      // Below another prefix the broker may keep back what it passes on below this one.
      if (!record.topics.includes(current.statusTopic)) kept = new Set(records.ledger.topics);
    }
    return this.#clear(record, kept, stopping);
  }

  /** @returns why it has to be repeated; undefined once it is done @throws why the broker cannot be reached */
  async #clear(
    record: BrokerRecord,
    kept: ReadonlySet<string>,
    stopping: AbortSignal,
  ): Promise<string | undefined> {
    const { records, current, clientId, uid, logger, times } = this.#options;
    if (current !== undefined && current.ended === undefined) return CURRENT_NOT_REACHED;
    return this.#onFormer({ config: record, clientId, signal: stopping }, async (connection) => {
      const own = record.topics.filter((topic) => !kept.has(topic));
      const left = await clearRetained(connection, own, { uid, quietMs: times.quietMs });
      records.forget(record.url);
      const removed = own.length - left.length;
      const topics = { removed, others: left.length, published: record.topics.length - own.length };
      logger.info(topics, 'the topics on a former MQTT broker are removed');
      return undefined;
    });
  }

  /**
   * Uses a connection to the former broker, once it is known not to have ended the one to the configured broker.
   *
   * @throws Displaced where it has; what the use throws, or why the connection could not be opened or ended
   */
  async #onFormer<T>(
    options: ConnectionOptions,
    use: (connection: BrokerConnection) => Promise<T>,
  ): Promise<T> {
    const { current, times } = this.#options;
    const wasStable = current?.isStable === true;
    let isOpen = false;
    let isDisplaced = false;
    const displaced = current?.ended?.then(() => {
      isDisplaced = true;
      return true;
    });
    try {
      return await withConnection(options, async (connection) => {
        isOpen = true;
        if (displaced && (await within(times.quietMs, [displaced], options.signal)))
          throw new Displaced(wasStable);
        return use(connection);
      });
    } catch (error) {
      if (isOpen && isDisplaced) throw new Displaced(wasStable);
      throw error;
    }
  }

  /**
   * Whether a former address leads to the configured broker, such as its name in place of its IP address: then what the
   * device publishes there arrives here. Silence proves another broker only where a message of this connection arrives:
   * brokers may grant a subscription and keep back what it is for.
   *
   * @throws why the former broker cannot be reached
   */
  async #sameness(record: BrokerRecord, current: CurrentBroker, stopping: AbortSignal): Promise<Sameness> {
    const { clientId, times } = this.#options;
    const { statusTopic } = current;
    const isKnown = record.topics.includes(statusTopic);
    const formerStatus = isKnown ? statusTopic : record.topics.find((topic) => STATUS.test(topic));
    const probeTopic = formerStatus ?? statusTopic;
    // The broker would end the connection of the device if this one had the same id; some take the user's name for it.
    const probe = { config: record, clientId: `${clientId.slice(0, -1)}-`, signal: stopping };
    return this.#onFormer(probe, async (connection) => {
      const same = Promise.withResolvers<Sameness>();
      const echoed = Promise.withResolvers<Sameness>();
      try {
        await connection.subscribe([...new Set([statusTopic, probeTopic])], ({ topic, text, retained }) => {
          if (retained) return;
          if (text === PROBE) echoed.resolve('other');
          else if (topic === statusTopic) same.resolve('same');
        });
      } catch (error) {
        if (error instanceof SubscriptionUnanswered) return { unknown: error.message };
        if (!(error instanceof SubscriptionRefused)) throw error;
        return { unknown: `the broker refuses to pass the status on: ${error.message}` };
      }
      if (!(await current.announce())) return { unknown: CURRENT_NOT_REACHED };
      const isSame = await within(times.quietMs, [same.promise], stopping);
      if (isSame !== undefined) return isSame;
      await connection.publish(probeTopic, PROBE, { retain: false, confirmed: true });
      const sameness = await within(times.quietMs, [same.promise, echoed.promise], stopping);
      if (sameness !== undefined) return sameness;
      // Here it may be the same broker, where others have got the probe for a status.
      await current.announce();
      return { unknown: KEPT_BACK };
    });
  }
}

/**
 * A broker ends the connection that has the id of a new one: where rules keep messages back, one that is configured is known by
 * that, unless it ends each connection soon.
 */
class Displaced extends Error {
  override readonly name = 'Displaced';

  constructor(wasStable: boolean) {
    super(wasStable ? DISPLACED : ENDED_SOON);
  }
}

/** @returns the first result; undefined when there is none within this time, in milliseconds, or the signal aborts */
async function within<T>(
  ms: number,
  results: readonly Promise<T>[],
  signal: AbortSignal,
): Promise<T | undefined> {
  const over = new AbortController();
  const silence = wait(ms, AbortSignal.any([over.signal, signal])).then(() => undefined);
  const first = await Promise.race([...results, silence]);
  over.abort();
  return first;
}

function isOverdue({ formerSinceMs = Infinity }: BrokerRecord, nowMs: number): boolean {
  return nowMs - formerSinceMs >= GIVEN_UP_AFTER_MS;
}

/** @throws what the use throws, or why the connection could not be opened or ended */
async function withConnection<T>(
  options: ConnectionOptions,
  use: (connection: BrokerConnection) => Promise<T>,
): Promise<T> {
  const connection = await BrokerConnection.open(options);
  const stopped = new Promise<never>((_, reject) => {
    options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
  });
  try {
    const closed = connection.closed.then((error) => Promise.reject(error));
    return await Promise.race([use(connection), closed, stopped]);
  } finally {
    await connection.close();
  }
}
