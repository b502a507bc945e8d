import { Backoff, type Clock, type Logger, messageOf, wait } from '@heliograph/kit';
import { FailureLog } from '../common/failure-log.ts';
import { BrokerConnection } from './broker-connection.ts';
import type { BrokerRecord, BrokerRecords } from './broker-records.ts';
import { clearRetained } from './clear-retained.ts';

/** A broker that was not reached for so long is given up, in milliseconds. */
const GIVEN_UP_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** How long the removal waits, in milliseconds. */
export interface FormerBrokerTimes {
  /** Between attempts to reach a broker: grows from the first to the second. */
  readonly retryMinMs: number;
  readonly formerRetryMaxMs: number;
  /** The broker is taken to have sent all that it holds once it was silent for this long. */
  readonly quietMs: number;
}

/** The connection to the configured broker. */
export interface CurrentBroker {
  readonly statusTopic: string;
  /** Publishes the status again. @returns false while there is no connection */
  announce(): Promise<boolean>;
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
    const failureLog = new FailureLog(logger, 'former MQTT broker not reached', 'former MQTT broker reached');
    const backoff = new Backoff({ minMs: times.retryMinMs, maxMs: times.formerRetryMaxMs });
    while (!stopping.aborted) {
      try {
        if (await this.#isDone(record, stopping)) return;
        failureLog.succeeded();
      } catch (error) {
        if (stopping.aborted) return;
        failureLog.failed(error);
        if (isOverdue(record, clock.now())) {
          logger.warn({ reason: messageOf(error) }, 'the topics on a former MQTT broker are given up');
          records.forget(record.url);
          return;
        }
      }
      await wait(backoff.nextMs(), stopping);
    }
  }

  /** @returns false while it cannot be known whether it is the configured broker @throws why it cannot be reached */
  async #isDone(record: BrokerRecord, stopping: AbortSignal): Promise<boolean> {
    const { records, current, clientId, uid, logger, times } = this.#options;
    if (current !== undefined) {
      const isSame = await this.#isSame(record, current, stopping);
      if (isSame === undefined) return false;
      if (isSame) {
        records.mergeIntoCurrent(record);
        return true;
      }
    }
    await withConnection({ config: record, clientId, signal: stopping }, async (connection) => {
      const left = await clearRetained(connection, record.topics, { uid, quietMs: times.quietMs });
      records.forget(record.url);
      const topics = { removed: record.topics.length - left.length, others: left.length };
      logger.info(topics, 'the topics on a former MQTT broker are removed');
    });
    return true;
  }

  /**
   * Whether a former address leads to the configured broker, such as its name in place of its IP address: then what the
   * device publishes there arrives here.
   *
   * @returns undefined while the configured broker is not reached
   */
  async #isSame(
    record: BrokerRecord,
    current: CurrentBroker,
    stopping: AbortSignal,
  ): Promise<boolean | undefined> {
    const { clientId, times } = this.#options;
    // The broker would end the connection of the device if this one had the same id.
    const probe = { config: record, clientId: `${clientId.slice(0, -1)}-`, signal: stopping };
    return withConnection(probe, async (connection) => {
      const { promise: received, resolve } = Promise.withResolvers<true>();
      await connection.subscribe([current.statusTopic], ({ retained }) => {
        if (!retained) resolve(true);
      });
      if (!(await current.announce())) return undefined;
      const quiet = new AbortController();
      const silence = wait(times.quietMs, AbortSignal.any([quiet.signal, stopping])).then(() => false);
      const isSame = await Promise.race([received, silence]);
      quiet.abort();
      return isSame;
    });
  }
}

function isOverdue({ formerSinceMs = Infinity }: BrokerRecord, nowMs: number): boolean {
  return nowMs - formerSinceMs >= GIVEN_UP_AFTER_MS;
}

/** @throws what the use throws, or why the connection could not be opened or ended */
async function withConnection<T>(
  options: Parameters<typeof BrokerConnection.open>[0],
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
