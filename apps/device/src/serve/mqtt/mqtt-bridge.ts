import { Backoff, type Clock, type Logger, messageOf, wait } from '@heliograph/kit';
import { FailureLog } from '../../common/failure-log.ts';
import { SOFTWARE_VERSION } from '../../common/software-version.ts';
import type { MqttConfig } from '../../config/mqtt-config.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { SettingWriter } from '../../settings/setting-writer.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import { AlertMessages, type AlertMessagesOptions } from './alert-messages.ts';
import type { AlertSensor } from './alert-sensors.ts';
import { BrokerConnection, SubscriptionRefused, SubscriptionUnanswered } from './broker/broker-connection.ts';
import { BrokerTopics } from './broker/broker-topics.ts';
import type { CurrentBroker } from './broker/former-brokers.ts';
import type { RetainedLedger } from './broker/retained-ledger.ts';
import { RetainedMessages } from './broker/retained-messages.ts';
import { HomeAssistant, type NamedUnit } from './home-assistant.ts';
import { PUBLISH_TIMES, Publisher, type PublishTimes } from './publisher.ts';
import { ReadBack, type ReadBackTimes } from './read-back.ts';
import { ReplyPublisher } from './reply-publisher.ts';
import { SetRequests, type WriteDelegation } from './set-requests.ts';

/** How long the bridge waits, in milliseconds. */
export interface MqttTimes extends PublishTimes, ReadBackTimes {
  /** Between attempts to reach the broker: grows from the first to the second. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** A connection that lasted this long was a good one: the next failure starts with the short wait again. */
  readonly stableMs: number;
  /** A subscription that stays unanswered for this long is not waited for; 10 s by default. */
  readonly answerMs?: number | undefined;
}

export const MQTT_TIMES: MqttTimes = {
  ...PUBLISH_TIMES,
  retryMinMs: 1_000,
  retryMaxMs: 60_000,
  stableMs: 30_000,
  quietMs: 1_000,
  readBackMs: 10_000,
};

/** Brokers of the first protocol version take 23 characters, of which `heliograph-` is 11. */
const CLIENT_ID_UID_LENGTH = 12;

export function clientIdOf(uid: string): string {
  return `heliograph-${uid.slice(0, CLIENT_ID_UID_LENGTH)}`;
}

export interface MqttStatus {
  readonly state: 'connecting' | 'connected' | 'failing';
  /** Why the last attempt failed, or what is wrong though it is connected; null where nothing is, and before the first attempt. */
  readonly reason: string | null;
  /** Since when it is in this state, in milliseconds since the epoch. */
  readonly since: number;
}

export interface MqttBridgeOptions {
  readonly config: MqttConfig;
  readonly uid: string;
  readonly units: () => readonly NamedUnit[];
  readonly alerts: () => readonly AlertSensor[];
  readonly alertChanges: Pick<AlertMessagesOptions, 'alerts' | 'watch'>;
  readonly snapshots: SnapshotSource;
  readonly settings: SettingWriter;
  readonly delegation: WriteDelegation;
  readonly store: KeyValueStore;
  readonly ledger: RetainedLedger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times?: MqttTimes;
}

/** Publishes what the device knows to a broker, and carries out what is asked there, as long as there is one. */
export class MqttBridge implements CurrentBroker {
  readonly #options: MqttBridgeOptions;
  readonly #times: MqttTimes;
  readonly #topics: BrokerTopics;
  readonly #messages: RetainedMessages;
  readonly #alertMessages: AlertMessages;
  readonly #requests: SetRequests;
  readonly #backoff: Backoff;
  readonly #failureLog: FailureLog;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  readonly #readBack: ReadBack;
  #connected: BrokerConnection | undefined;
  /** By the monotonic clock; never while there is no connection. */
  #openedAt = Number.POSITIVE_INFINITY;
  #status: MqttStatus;

  constructor(options: MqttBridgeOptions) {
    const {
      config,
      uid,
      units,
      alerts,
      alertChanges,
      settings,
      delegation,
      snapshots,
      store,
      clock,
      logger,
      times = MQTT_TIMES,
    } = options;
    this.#options = options;
    this.#status = { state: 'connecting', reason: null, since: clock.now() };
    this.#times = times;
    this.#topics = new BrokerTopics(config.topicPrefix);
    const homeAssistant = config.homeAssistant
      ? new HomeAssistant({
          topics: this.#topics,
          topicPrefix: config.topicPrefix,
          discoveryPrefix: config.discoveryPrefix,
          isWritable: () => config.allowWrites && delegation.suspended() === undefined,
          uid,
          softwareVersion: SOFTWARE_VERSION,
        })
      : undefined;
    this.#messages = new RetainedMessages({ topics: this.#topics, homeAssistant, units, alerts });
    this.#alertMessages = new AlertMessages({ topic: this.#topics.alert, ...alertChanges, store });
    const { allowWrites } = config;
    this.#requests = new SetRequests({
      topics: this.#topics,
      allowWrites,
      delegation,
      broker: config.url,
      settings,
      snapshots,
      clock,
      logger,
    });
    this.#readBack = new ReadBack({
      statusTopic: this.#topics.status,
      times,
      logger,
      stopping: this.#stopping.signal,
      onFound: (connection, reason) => {
        if (connection === this.#connected) this.#turn('connected', reason);
      },
    });
    this.#backoff = new Backoff({ minMs: times.retryMinMs, maxMs: times.retryMaxMs });
    this.#failureLog = new FailureLog(logger, 'MQTT broker not reached', 'MQTT broker reached again');
  }

  get status(): MqttStatus {
    return this.#status;
  }

  get statusTopic(): string {
    return this.#topics.status;
  }

  get ended(): Promise<unknown> | undefined {
    return this.#connected?.closed;
  }

  get isStable(): boolean {
    return this.#options.clock.monotonic() - this.#openedAt >= this.#times.stableMs;
  }

  async announce(): Promise<boolean> {
    const connection = this.#connected;
    if (connection === undefined) return false;
    const published = connection.publish(this.statusTopic, 'online', { retain: true, confirmed: true });
    return Promise.race([published.then(() => true), connection.closed.then(() => false)]);
  }

  start(): void {
    this.#running ??= this.#run(this.#stopping.signal);
  }

  /** Publishes `offline` and ends the connection. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      try {
        await this.#connection(stopping);
      } catch (error) {
        if (!stopping.aborted) this.#failed(error);
      }
      if (!stopping.aborted) await wait(this.#backoff.nextMs(), stopping);
    }
  }

  #failed(error: unknown): void {
    this.#failureLog.failed(error);
    this.#turn('failing', messageOf(error));
  }

  #turn(state: MqttStatus['state'], reason: string | null): void {
    const since = state === this.#status.state ? this.#status.since : this.#options.clock.now();
    this.#status = { state, reason, since };
  }

  /** One connection, from dialling to its end. @throws why it ended, unless the bridge is stopping */
  async #connection(stopping: AbortSignal): Promise<void> {
    const { config, uid, clock } = this.#options;
    const connection = await BrokerConnection.open({
      config,
      clientId: clientIdOf(uid),
      statusTopic: this.statusTopic,
      signal: stopping,
      answerMs: this.#times.answerMs,
    });
    this.#openedAt = clock.monotonic();
    const ended = new AbortController();
    try {
      const serving = this.#serve(connection, ended.signal);
      const failure = await Promise.race([connection.closed, serving, aborted(stopping, ended.signal)]);
      if (failure !== undefined) throw this.isStable ? failure : this.#endedSoon(failure);
    } finally {
      ended.abort();
      this.#connected = undefined;
      await connection.close();
      if (this.isStable) this.#backoff.reset();
      this.#openedAt = Number.POSITIVE_INFINITY;
    }
  }

  /** Brokers give no reason when another client has the same id, nor for a message that is too long. */
  #endedSoon(failure: Error): Error {
    const { uid, snapshots } = this.#options;
    const clientId = clientIdOf(uid);
    const lengths = [...this.#messages.of(snapshots.current).values()].map((text) => Buffer.byteLength(text));
    return new Error(
      `${failure.message}, soon after the connection was made: another program may have the client id ${clientId}, ` +
        `or a message of ${Math.max(...lengths)} bytes is too long for the broker`,
    );
  }

  async #serve(connection: BrokerConnection, ended: AbortSignal): Promise<void> {
    await this.#listen(connection, ended);
    this.#turn('connected', this.#readBack.givenUp);
    this.#connected = connection;
    await Promise.all([
      this.#publisher(connection).run(ended),
      this.#alertMessages.run(connection, ended),
      this.#logOnceStable(ended),
    ]);
  }

  /** A broker that ends each connection after a moment is not reached again each time. */
  async #logOnceStable(ended: AbortSignal): Promise<void> {
    await wait(this.#times.stableMs, ended);
    if (!ended.aborted) this.#failureLog.succeeded();
  }

  /** A broker that refuses the device to listen, or does not answer, still gets the values. */
  async #listen(connection: BrokerConnection, ended: AbortSignal): Promise<void> {
    // Not retained: a later client would take it for the answer to a write of its own.
    const publish = (text: string) =>
      connection.publish(this.#topics.response, text, { retain: false, confirmed: true });
    const answers = new ReplyPublisher(publish, ended);
    try {
      await connection.subscribe(this.#topics.writes, (message) => {
        if (this.#topics.isSet(message.topic)) this.#requests.receive(message, answers);
      });
    } catch (error) {
      if (!(error instanceof SubscriptionRefused || error instanceof SubscriptionUnanswered)) throw error;
      this.#options.logger.warn({ reason: error.message }, 'the MQTT broker passes no writes on');
    }
  }

  #publisher(connection: BrokerConnection): Publisher {
    const { snapshots, ledger, uid, clock } = this.#options;
    const { quietMs } = this.#times;
    return new Publisher({
      connection,
      snapshots,
      messages: this.#messages,
      ledger,
      uid,
      liveStatus: this.statusTopic,
      quietMs,
      clock,
      times: this.#times,
      onEverything: (published, newest) => void this.#readBack.check(connection, { published, newest }),
    });
  }
}

/** Resolves when the signal aborts; is given up when the other one does. */
function aborted(signal: AbortSignal, unless: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { signal: unless });
  });
}
