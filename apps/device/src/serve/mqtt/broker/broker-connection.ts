import { rootCertificates } from 'node:tls';
import { messageOf } from '@heliograph/kit';
import {
  connect,
  ErrorWithSubackPacket,
  type IClientOptions,
  type MqttClient,
  type OnMessageCallback,
} from 'mqtt';
import type { BrokerAddress } from './broker-records.ts';
import { PacketLengths } from './packet-lengths.ts';

/** A broker that is silent for this long after it was dialled is not there, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** A broker that leaves a subscription unanswered for this long does not answer it, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/** A connection that is dead without telling is noticed after one and a half of these, in seconds. */
const KEEPALIVE_S = 30;

/** A broker that does not take the farewell within this time gets none, in milliseconds. */
const FAREWELL_MS = 1_000;

/** Filters in one request: brokers limit the length of it. */
const FILTERS_PER_REQUEST = 100;

/** Messages for the device are short; a long one would be collected in its memory to the end. In bytes. */
const LARGEST_PACKET = 1024 * 1024;

export interface BrokerConnectionOptions {
  readonly config: BrokerAddress;
  readonly clientId: string;
  /** The topic that reads `offline` once the connection is gone, however it went; undefined for none. */
  readonly statusTopic?: string | undefined;
  readonly signal: AbortSignal;
  /** How long a subscription may stay unanswered, in milliseconds; 10 s by default. */
  readonly answerMs?: number | undefined;
}

export interface PublishOptions {
  readonly retain: boolean;
  /** Whether the broker must acknowledge it. */
  readonly confirmed?: boolean;
}

/** A message of another client. */
export interface BrokerMessage {
  readonly topic: string;
  readonly text: string;
  /** Whether it lay on the broker before the device came. */
  readonly retained: boolean;
}

/** The broker's rules do not allow what was asked. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused';
}

/** The broker has not answered a subscription in time. It may still grant it. */
export class SubscriptionUnanswered extends Error {
  override readonly name = 'SubscriptionUnanswered';

  constructor() {
    super('the broker does not answer the subscription');
  }
}

/** The broker ended the connection on a subscription, in place of an answer or after its refusal. */
export class SubscriptionEnded extends Error {
  override readonly name = 'SubscriptionEnded';
}

/**
 * One connection to a broker. It is never revived: nothing of it must be sent through the next one, neither an old
 * value nor the answer to a write.
 */
export class BrokerConnection {
  readonly #client: MqttClient;
  readonly #statusTopic: string | undefined;
  readonly #answerMs: number;
  /** Resolves to the reason once the connection has ended. */
  readonly closed: Promise<Error>;

  private constructor(
    client: MqttClient,
    { statusTopic, answerMs = ANSWER_TIMEOUT_MS }: BrokerConnectionOptions,
  ) {
    this.#client = client;
    this.#statusTopic = statusTopic;
    this.#answerMs = answerMs;
    let reason: Error | undefined;
    client.on('error', (error) => {
      reason ??= error;
    });
    const lengths = new PacketLengths(LARGEST_PACKET);
    client.stream.on('data', (bytes: Buffer) => {
      if (!lengths.exceededBy(bytes)) return;
      reason ??= new Error(`the broker sends a message of more than ${LARGEST_PACKET} bytes`);
      client.stream.destroy();
    });
    this.closed = new Promise((resolve) => {
      client.once('close', () => resolve(reason ?? new Error('the broker closed the connection')));
    });
  }

  /** @throws the reason why the broker cannot be reached, or refuses */
  static async open(options: BrokerConnectionOptions): Promise<BrokerConnection> {
    const { config, signal } = options;
    const client = connect(config.url, clientOptions(options));
    const connection = new BrokerConnection(client, options);
    const give = () => client.end(true);
    signal.addEventListener('abort', give, { once: true });
    try {
      const connected = new Promise<undefined>((resolve) => client.once('connect', () => resolve(undefined)));
      const failure = await Promise.race([connected, connection.closed]);
      if (failure !== undefined) throw failure;
      return connection;
    } finally {
      signal.removeEventListener('abort', give);
    }
  }

  /**
   * Resolves once the connection takes more, or with `confirmed` once the broker has it. When the connection ends
   * before that it stays pending: await it together with {@link closed}.
   *
   * @throws when the connection has ended already
   */
  publish(topic: string, payload: string, { retain, confirmed = false }: PublishOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!this.#client.connected) reject(new Error('the connection to the broker has ended'));
    else {
      this.#client.publish(topic, payload, { qos: confirmed ? 1 : 0, retain }, (error) =>
        error ? reject(error) : resolve(),
      );
    }
    return promise;
  }

  /**
   * Gets what is published to any of these filters, each message at most once.
   *
   * @throws SubscriptionRefused when the broker's rules forbid it, SubscriptionUnanswered, or the library's error when the
   * connection ends
   */
  async subscribe(filters: readonly string[], listener: (message: BrokerMessage) => void): Promise<void> {
    this.#client.on('message', (topic, payload, { retain }) =>
      listener({ topic, text: payload.toString('utf8'), retained: retain }),
    );
    await this.#subscribe(filters);
  }

  /**
   * The retained messages of these topics, as far as the broker's rules allow to read them. MQTT marks no end of them: they
   * are complete once the broker was silent.
   *
   * @param quietMs for so long, in milliseconds
   * @throws SubscriptionEnded, SubscriptionUnanswered, why the connection has ended, or the reason of the signal
   */
  async retained(
    topics: readonly string[],
    quietMs: number,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    if (topics.length === 0) return found;
    if (!this.#client.connected) throw new Error('the connection to the broker has ended');
    signal?.throwIfAborted();
    const wanted = new Set(topics);
    let timer: NodeJS.Timeout | undefined;
    const listener: OnMessageCallback = (topic, payload, { retain }) => {
      if (!retain || !wanted.has(topic)) return;
      found.set(topic, payload.toString('utf8'));
      timer?.refresh();
    };
    const requests = Array.from({ length: Math.ceil(topics.length / FILTERS_PER_REQUEST) }, (_, index) =>
      topics.slice(index * FILTERS_PER_REQUEST, (index + 1) * FILTERS_PER_REQUEST),
    );
    let isGranted = false;
    const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
    const abort = () => stop(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.closed.then((error) => stop(isGranted ? error : new SubscriptionEnded(error.message)));
    this.#client.on('message', listener);
    try {
      for (const filters of requests) {
        isGranted = false;
        const answered = this.#subscribe(filters).then(
          () => {
            isGranted = true;
          },
          (error: unknown) => {
            if (error instanceof SubscriptionUnanswered) throw error;
            if (!(error instanceof SubscriptionRefused)) throw new SubscriptionEnded(messageOf(error));
          },
        );
        await Promise.race([answered, stopped]);
      }
      const { promise: quiet, resolve } = Promise.withResolvers<void>();
      timer = setTimeout(resolve, quietMs);
      await Promise.race([quiet, stopped]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#client.off('message', listener);
      // Nothing depends on the answer.
      for (const filters of requests) this.#client.unsubscribe(filters, () => {});
    }
    return found;
  }

  /** @throws SubscriptionRefused, SubscriptionUnanswered, or the library's error when the connection ends */
  async #subscribe(filters: readonly string[]): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new SubscriptionUnanswered()), this.#answerMs);
    try {
      await Promise.race([this.#client.subscribeAsync([...filters], { qos: 0 }), late]);
    } catch (error) {
      // A refusal has the broker's SUBACK packet; other errors have none.
      throw error instanceof ErrorWithSubackPacket && error.packet
        ? new SubscriptionRefused(error.message)
        : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Publishes `offline` and disconnects; cuts the connection when the broker does not take it in time. */
  async close(): Promise<void> {
    const client = this.#client;
    const cut = setTimeout(() => client.stream.destroy(), FAREWELL_MS);
    if (client.connected && this.#statusTopic !== undefined) {
      // Taking leave properly, the device has to say itself what its last will would have said.
      const published = this.publish(this.#statusTopic, 'offline', { retain: true, confirmed: true });
      await Promise.race([published.catch(() => {}), this.closed]);
    }
    client.end(!client.connected);
    await this.closed;
    clearTimeout(cut);
  }
}

function clientOptions({ config, clientId, statusTopic }: BrokerConnectionOptions): IClientOptions {
  const { username, password, ca } = config;
  return {
    clientId,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    // Without a session the broker stores no write that would be carried out long after it was sent.
    clean: true,
    // Reconnecting is the bridge's: with growing pauses, and a new connection each time.
    reconnectPeriod: 0,
    queueQoSZero: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepalive: KEEPALIVE_S,
    ...(statusTopic !== undefined && {
      will: { topic: statusTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
    }),
  };
}
