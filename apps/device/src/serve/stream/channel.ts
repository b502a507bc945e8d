import { type Alert, SetMetricBody } from '@heliograph/contracts';
import { readerOf } from '@heliograph/http/validator';
import { AppError, findJsonFault, type Logger } from '@heliograph/kit';
import { type ChannelFrame, decodeFrame, encodeFrame, type Framing, framingOfFrame } from '@heliograph/wire';
import { type Caller, READ_ONLY } from '../../access/caller.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { SettingWriter } from '../../settings/setting-writer.ts';
import { WriteFailure } from '../../settings/write-failure.ts';
import type { Change } from './change.ts';
import { CHANNEL, push } from './encoding.ts';
import { fullRow, isSystem } from './rows.ts';
import { type Outlet, Subscription } from './subscription.ts';
import { InvalidTopics, type TopicFilter, topicsOf } from './topic-filter.ts';

/** Longest `ref` and `join_ref` that are given back; clients count from 1. */
const MAX_REF_LENGTH = 64;

/** Longest topic, as in the API. */
const MAX_TOPIC_LENGTH = 256;

/** Validates the payload of a `set`; its refusals are those of the API. */
const readWrite = readerOf(SetMetricBody);

/** Writes that one client may have under way; they are carried out one after the other anyway. */
const MAX_WRITES_UNDER_WAY = 16;

export interface ChannelOptions {
  readonly outlet: Outlet;
  /** Undefined: that of the client's first frame. */
  readonly framing: Framing | undefined;
  readonly caller: Caller;
  readonly snapshots: SnapshotSource;
  readonly settings: SettingWriter;
  /** Those that have not cleared. */
  readonly openAlerts: () => readonly Alert[];
  readonly monotonic: () => number;
  readonly logger: Logger;
}

/**
 * One client's side of the live stream: joins the channel `metrics`, names topics, writes settings.
 *
 * A client may join again on the same connection (some do before every write): the later join answers under
 * its own reference and starts over with the definitions, under the topics it names or else those from
 * before, and frames of the earlier join are ignored. Only joining an unknown channel, or speaking on one that was not
 * joined, is answered with an error; clients take any error as the end of the connection.
 */
export class Channel {
  readonly #options: ChannelOptions;
  /** Undefined while the channel is not joined. */
  #subscription: Subscription | undefined;
  #joinRef: string | null = null;
  #framing: Framing | undefined;
  #writesUnderWay = 0;
  #hasAlerts = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#framing = options.framing;
  }

  get caller(): Caller {
    return this.#options.caller;
  }

  /** Takes a text frame of the client; what is no channel frame is ignored. */
  receive(text: string): void {
    const frame = decodeFrame(text);
    if (frame === null || isTooLong(frame.ref) || isTooLong(frame.joinRef)) return;
    this.#framing ??= framingOfFrame(text);
    if (frame.topic === 'phoenix') this.#reply(frame, 'ok');
    else if (frame.topic === CHANNEL) this.#onEvent(frame, text);
    else if (frame.event === 'phx_leave') this.#reply(frame, 'ok');
    else this.#reply(frame, 'error', { reason: 'unmatched topic' });
  }

  apply(change: Change): void {
    this.#subscription?.apply(change);
  }

  /** Sends everything again, changed or not: clients take a long silence for a dead connection. */
  refresh(): void {
    if (this.#subscription === undefined) return;
    this.#pushSystem();
    this.#subscription.refresh();
  }

  /** Sends alerts to a client that asked for them. */
  pushAlerts(alerts: readonly Alert[]): void {
    if (this.#subscription !== undefined && this.#hasAlerts) this.#push('alert', { alerts });
  }

  /** Sends what waited for its time. */
  flush(): void {
    this.#subscription?.flush();
  }

  #onEvent(frame: ChannelFrame, text: string): void {
    switch (frame.event) {
      case 'phx_join':
      case 'join':
        this.#withTopics(frame, (filter) => this.#join(frame, filter));
        return;
      case 'phx_leave':
        if (frame.joinRef === null || frame.joinRef === this.#joinRef) this.#subscription = undefined;
        this.#reply(frame, 'ok');
        return;
    }
    const subscription = this.#subscription;
    if (subscription === undefined) {
      this.#reply(frame, 'error', { reason: 'unmatched topic' });
      return;
    }
    if (this.#isOfEarlierJoin(frame)) return;
    switch (frame.event) {
      case 'topics':
        this.#withTopics(frame, (filter) => {
          this.#reply(frame, 'ok');
          if (filter !== undefined) subscription.changeFilter(filter);
        });
        return;
      case 'set':
        void this.#set(frame, findJsonFault(text) === undefined);
        return;
      default:
        this.#reply(frame, 'ok');
    }
  }

  /** Phoenix ignores such frames, which a client sent before it learned that it has to join again. */
  #isOfEarlierJoin({ joinRef }: ChannelFrame): boolean {
    // Some clients leave the reference of their join out, or leave it empty.
    return joinRef !== null && joinRef !== '' && this.#joinRef !== null && joinRef !== this.#joinRef;
  }

  #join(frame: ChannelFrame, filter: TopicFilter | undefined): void {
    this.#joinRef = frame.joinRef;
    this.#reply(frame, 'ok');
    this.#pushSystem();
    this.#subscription ??= new Subscription({ ...this.#options, framing: this.#answerFraming });
    this.#subscription.start(frame.joinRef, filter);
    this.#hasAlerts = frame.payload.alerts === true;
    if (this.#hasAlerts) this.pushAlerts(this.#options.openAlerts());
  }

  #withTopics(frame: ChannelFrame, use: (filter: TopicFilter | undefined) => void): void {
    let filter: TopicFilter | undefined;
    try {
      filter = topicsOf(frame.payload);
    } catch (error) {
      if (!(error instanceof InvalidTopics)) throw error;
      this.#reply(frame, 'error', { reason: error.message });
      return;
    }
    use(filter);
  }

  /** @param unambiguous whether every parser takes the frame for the same: a write must not depend on which of two values counts */
  async #set(frame: ChannelFrame, unambiguous: boolean): Promise<void> {
    const { topic } = frame.payload;
    const answer = { topic: typeof topic === 'string' ? topic.slice(0, MAX_TOPIC_LENGTH) : '' };
    const result = await this.#write(frame.payload, unambiguous).then(
      () => ({ ...answer, result: 'ok' }),
      (error: unknown) => ({
        ...answer,
        result: 'error',
        message: this.#explain(error),
        ...(error instanceof WriteFailure && error.fields),
      }),
    );
    this.#push('set_result', result);
    // Clients take a reply with an error for the end of the connection.
    this.#reply(frame, 'ok', result);
  }

  async #write(payload: unknown, unambiguous: boolean): Promise<void> {
    const { caller, settings } = this.#options;
    if (!caller.mayWrite) throw new Refused(READ_ONLY);
    if (!unambiguous)
      throw new Refused('The frame has a field twice, or text that is none; nothing was changed');
    const { topic, value } = readWrite(payload);
    if (this.#writesUnderWay >= MAX_WRITES_UNDER_WAY) {
      throw new Refused(`${topic}: ${MAX_WRITES_UNDER_WAY} writes are under way, nothing was changed`);
    }
    this.#writesUnderWay++;
    try {
      await settings.set(topic, String(value), caller);
    } finally {
      this.#writesUnderWay--;
    }
  }

  #explain(error: unknown): string {
    if (error instanceof AppError && error.expose) return error.message;
    this.#options.logger.error({ err: error }, 'write failed');
    return 'Internal error';
  }

  get #answerFraming(): Framing {
    return this.#framing ?? 'array';
  }

  #pushSystem(): void {
    const rows = [...this.#options.snapshots.current.samples.values()].filter(isSystem).map(fullRow);
    this.#push('system', { metrics: rows });
  }

  #push(event: string, payload: object): void {
    this.#send(push(event, JSON.stringify(payload), this.#answerFraming, this.#joinRef));
  }

  #reply(frame: ChannelFrame, status: 'ok' | 'error', response: object = {}): void {
    if (frame.ref === null) return;
    const { joinRef, ref, topic } = frame;
    const reply: ChannelFrame = {
      joinRef: topic === 'phoenix' ? null : joinRef,
      ref,
      topic,
      event: 'phx_reply',
      payload: { status, response },
    };
    this.#send(encodeFrame(reply, this.#answerFraming));
  }

  #send(text: string): void {
    this.#options.outlet.send(text, this.#flush);
  }

  readonly #flush = (): void => this.flush();
}

/** A write that is refused before it reaches the hardware. */
class Refused extends AppError {
  constructor(message: string) {
    super(message, { code: 'refused', status: 422 });
  }
}

function isTooLong(ref: string | null): boolean {
  return ref !== null && ref.length > MAX_REF_LENGTH;
}
