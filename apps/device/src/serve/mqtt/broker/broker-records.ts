import type { Clock, Logger } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { FailureLog } from '../../../common/failure-log.ts';
import { SOFTWARE_VERSION } from '../../../common/software-version.ts';
import type { MqttConfig } from '../../../config/mqtt-config.ts';
import type { KeyValueStore } from '../../../storage/key-value.ts';
import { RetainedLedger } from './retained-ledger.ts';

const KEY = 'mqtt_brokers';

/** The topics on whatever broker was configured, of releases before 2026-12. */
const FORMER_KEY = 'mqtt_retained';

/** Brokers of earlier configurations; the oldest beyond these is forgotten. */
const MAX_FORMER = 4;

const TOPICS = Type.Array(Type.String());

const RECORDS = Compile(
  Type.Array(
    Type.Object({
      url: Type.String(),
      username: Type.Optional(Type.String()),
      password: Type.Optional(Type.String()),
      ca: Type.Optional(Type.String()),
      topics: TOPICS,
      formerSinceMs: Type.Optional(Type.Number()),
    }),
  ),
);

const FORMER_TOPICS = Compile(TOPICS);

/** How a broker is reached. */
export type BrokerAddress = Pick<MqttConfig, 'url' | 'username' | 'password' | 'ca'>;

/** A broker that holds retained messages of this device. */
export interface BrokerRecord extends BrokerAddress {
  readonly topics: readonly string[];
  /** Since when it is no longer configured, in milliseconds since the epoch; absent for the configured one. */
  readonly formerSinceMs?: number | undefined;
}

export interface BrokerRecordsOptions {
  readonly store: Pick<KeyValueStore, 'json' | 'set' | 'delete'>;
  /** The configured broker. */
  readonly current: BrokerAddress | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The stored brokers, for those that need no more than their addresses. */
export function storedBrokers(store: Pick<KeyValueStore, 'json'>): readonly BrokerRecord[] {
  return store.json(KEY, RECORDS, []);
}

/**
 * The brokers that hold retained messages of this device, with their credentials: what is on a broker that is no longer
 * configured can only be removed with these. The last is the configured one.
 */
export class BrokerRecords {
  readonly #store: BrokerRecordsOptions['store'];
  readonly #failureLog: FailureLog;
  #former: readonly BrokerRecord[];
  readonly #current: BrokerAddress | undefined;
  /** Of the configured broker. */
  readonly ledger: RetainedLedger;

  constructor({ store, current, clock, logger }: BrokerRecordsOptions) {
    this.#store = store;
    this.#failureLog = new FailureLog(logger, 'MQTT topics not stored', 'MQTT topics stored again');
    this.#current = current && addressOf(current);
    const stored = storedBrokers(store);
    const isCurrent = ({ url }: BrokerRecord): boolean => url === current?.url;
    this.#former = stored
      .filter((record) => !isCurrent(record) && record.topics.length > 0)
      .map((record) => ({ ...record, formerSinceMs: sinceOf(record) ?? clock.now() }))
      .slice(-MAX_FORMER);
    const ofAnyBroker = current === undefined ? [] : store.json(FORMER_KEY, FORMER_TOPICS, []);
    const topics = [...(stored.find(isCurrent)?.topics ?? []), ...ofAnyBroker];
    this.ledger = new RetainedLedger(topics, () => this.#save());
    const isAsStored = JSON.stringify(stored) === JSON.stringify(this.#records);
    if (!isAsStored) this.#save();
    if (ofAnyBroker.length > 0) this.#attempt(() => store.delete(FORMER_KEY));
  }

  /** Brokers that are no longer configured, and still hold messages. */
  get former(): readonly BrokerRecord[] {
    return this.#former;
  }

  forget(url: string): void {
    this.#former = this.#former.filter((record) => record.url !== url);
    this.#save();
  }

  /** A former address turned out to be of the configured broker. */
  mergeIntoCurrent(record: BrokerRecord): void {
    this.ledger.add(record.topics);
    this.forget(record.url);
  }

  get #records(): readonly BrokerRecord[] {
    const current = this.#current && [{ ...this.#current, topics: this.ledger.topics }];
    return [...this.#former, ...(current ?? [])];
  }

  #save(): void {
    this.#attempt(() => {
      if (this.#records.length === 0) this.#store.delete(KEY);
      else this.#store.set(KEY, JSON.stringify(this.#records));
      this.#failureLog.succeeded();
    });
  }

  /** A full disk costs the tidying up after a restart, not the publishing. */
  #attempt(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.#failureLog.failed(error);
    }
  }
}

/** A time before this release is of a clock that was not set yet. */
function sinceOf({ formerSinceMs = 0 }: BrokerRecord): number | undefined {
  return formerSinceMs < Date.parse(SOFTWARE_VERSION) ? undefined : formerSinceMs;
}

function addressOf({ url, username, password, ca }: BrokerAddress): BrokerAddress {
  return { url, username, password, ca };
}
