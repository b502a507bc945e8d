import type { Framing } from '@heliograph/wire';
import type { Sample, SnapshotSource } from '../../poll/snapshot.ts';
import { type Change, isStreamed } from './change.ts';
import { dataPush, definitionPush } from './encoding.ts';
import { DEFAULT_FILTER, type TopicFilter } from './topic-filter.ts';

/** Above this much unsent data a client counts as slow, in bytes: it then gets newest values only. */
const SLOW_ABOVE_BYTES = 256 * 1024;

/** The parts of a connection that a subscription uses. */
export interface Outlet {
  /** Bytes that were sent and have not left yet. */
  readonly bufferedBytes: number;
  /** @param sent called when the text has left, or never will */
  send(text: string | Buffer, sent: () => void): void;
}

export interface SubscriptionOptions {
  readonly outlet: Outlet;
  readonly framing: Framing;
  readonly snapshots: SnapshotSource;
  readonly monotonic: () => number;
}

/**
 * The messages for one client of the stream: for each topic a definition, then values as they change.
 *
 * A value that cannot be sent at once, because the client reads slowly or asked for fewer updates, is not
 * queued: its topic waits, and the newest value goes out when the time comes. Memory is thus bounded by the
 * number of topics, however slow the client is.
 */
export class Subscription {
  readonly #options: SubscriptionOptions;
  #filter: TopicFilter = DEFAULT_FILTER;
  #joinRef: string | null = null;
  readonly #defined = new Set<string>();
  readonly #waiting = new Set<string>();
  /** When topics with a limit were sent last, in monotonic milliseconds. */
  readonly #sentAt = new Map<string, number>();

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** Starts over: every definition and current value that the filter asks for. Without one the last is kept. */
  start(joinRef: string | null, filter: TopicFilter | undefined): void {
    this.#joinRef = joinRef;
    this.#defined.clear();
    this.changeFilter(filter ?? this.#filter);
  }

  /** Sends the current values that the new filter asks for, and definitions of what had none yet. */
  changeFilter(filter: TopicFilter): void {
    this.#filter = filter;
    this.#waiting.clear();
    this.#sentAt.clear();
    this.refresh();
  }

  /** Sends all current values again, changed or not. */
  refresh(): void {
    for (const sample of this.#options.snapshots.current.samples.values()) {
      if (isStreamed(sample) && this.#wants(sample)) this.#waiting.add(sample.definition.topic);
    }
    this.flush();
  }

  apply(change: Change): void {
    for (const { definition } of change.introduced) this.#defined.delete(definition.topic);
    const matching = change.matching(this.#filter);
    if (this.#waiting.size === 0 && !this.#filter.limited && !this.#slow) {
      this.#define(matching);
      if (matching.length > 0) {
        this.#send(change.dataPush(this.#filter, this.#options.framing, this.#joinRef));
      }
      return;
    }
    for (const { definition } of matching) this.#waiting.add(definition.topic);
    this.flush();
  }

  /** Sends what waits and may go. */
  flush(): void {
    if (this.#waiting.size === 0 || this.#slow) return;
    const due = this.#takeDue();
    if (due.length === 0) return;
    this.#define(due);
    this.#send(dataPush(due, this.#options.framing, this.#joinRef));
  }

  #takeDue(): readonly Sample[] {
    const { snapshots, monotonic } = this.#options;
    const { samples } = snapshots.current;
    const now = monotonic();
    const due: Sample[] = [];
    for (const topic of this.#waiting) {
      const sample = samples.get(topic);
      const intervalMs = this.#filter.intervalMs(topic) ?? 0;
      if (sample !== undefined && intervalMs > 0) {
        const sentAt = this.#sentAt.get(topic);
        if (sentAt !== undefined && now - sentAt < intervalMs) continue;
        this.#sentAt.set(topic, now);
      }
      this.#waiting.delete(topic);
      if (sample !== undefined) due.push(sample);
    }
    return due;
  }

  #define(samples: readonly Sample[]): void {
    const undefinedYet = samples.filter(({ definition }) => !this.#defined.has(definition.topic));
    if (undefinedYet.length === 0) return;
    for (const { definition } of undefinedYet) this.#defined.add(definition.topic);
    this.#send(definitionPush(undefinedYet, this.#options.framing, this.#joinRef));
  }

  #wants(sample: Sample): boolean {
    return this.#filter.intervalMs(sample.definition.topic) !== undefined;
  }

  get #slow(): boolean {
    return this.#options.outlet.bufferedBytes > SLOW_ABOVE_BYTES;
  }

  #send(text: string | Buffer): void {
    this.#options.outlet.send(text, this.#flush);
  }

  readonly #flush = (): void => this.flush();
}
