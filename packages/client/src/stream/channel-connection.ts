import { type ChannelFrame, decodeFrame, encodeFrame } from '@heliograph/wire/channel-frame';
import { openWebSocket } from './web-socket.ts';

/** The one channel of a device. */
const CHANNEL = 'metrics';

export interface ConnectionTimings {
  /** How long the socket may take to open and the channel to be joined. */
  readonly joinTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  /** A heartbeat unanswered for this long means that the connection is dead. */
  readonly heartbeatTimeoutMs: number;
  /** The same for one that was asked for because there is reason to doubt. */
  readonly checkTimeoutMs: number;
}

export interface ConnectionEvents {
  onJoined(): void;
  /** A push on the channel. */
  onPush(event: string, payload: Readonly<Record<string, unknown>>): void;
  /** Called once, last of all. */
  onEnded(reason: string): void;
}

/**
 * One WebSocket connection, joined to the device's channel. It ends once and is not used again: a socket
 * whose peer has vanished may take minutes to close, so it is dropped and never waited for.
 */
export class ChannelConnection {
  readonly #socket: WebSocket;
  readonly #events: ConnectionEvents;
  readonly #timings: ConnectionTimings;
  readonly #joinPayload: Readonly<Record<string, unknown>>;
  readonly #joinRef: string;
  #lastRef = 0;
  #joined = false;
  #heartbeatRef: string | null = null;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #nextHeartbeat: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  /** @param joinPayload what the join carries, such as the topics to stream */
  constructor(
    url: string,
    joinPayload: Readonly<Record<string, unknown>>,
    events: ConnectionEvents,
    timings: ConnectionTimings,
  ) {
    this.#events = events;
    this.#timings = timings;
    this.#joinPayload = joinPayload;
    this.#joinRef = this.#ref();
    this.#socket = openWebSocket(url);
    this.#expect('the device did not answer in time', timings.joinTimeoutMs);
    this.#socket.addEventListener('open', () => this.#join());
    this.#socket.addEventListener('message', ({ data }) => this.#receive(data));
    this.#socket.addEventListener('close', () => this.#end(this.#closeReason()));
    this.#socket.addEventListener('error', () => this.#end(this.#closeReason()));
  }

  /** Sends an event on the channel. */
  push(event: string, payload: Readonly<Record<string, unknown>>): void {
    this.#send({ joinRef: this.#joinRef, ref: this.#ref(), topic: CHANNEL, event, payload });
  }

  /** Sends a heartbeat now; without an answer soon the connection ends. */
  check(): void {
    if (!this.#joined || this.#ended) return;
    clearTimeout(this.#nextHeartbeat);
    this.#beat(this.#timings.checkTimeoutMs);
  }

  close(): void {
    this.#end('closed');
  }

  #join(): void {
    const [joinRef, ref] = [this.#joinRef, this.#ref()];
    this.#send({ joinRef, ref, topic: CHANNEL, event: 'phx_join', payload: this.#joinPayload });
  }

  #receive(data: unknown): void {
    const frame = typeof data === 'string' ? decodeFrame(data) : null;
    if (frame === null || this.#ended) return;
    if (frame.topic === 'phoenix') this.#receiveHeartbeat(frame);
    else if (frame.topic !== CHANNEL) return;
    else if (frame.event === 'phx_reply') this.#receiveReply(frame);
    else if (frame.event === 'phx_error' || frame.event === 'phx_close')
      this.#end('the device closed the channel');
    else this.#events.onPush(frame.event, frame.payload);
  }

  #receiveReply({ payload }: ChannelFrame): void {
    if (this.#joined) return;
    if (payload.status !== 'ok') {
      this.#end('the device refused the channel');
      return;
    }
    this.#joined = true;
    this.#scheduleHeartbeat();
    this.#events.onJoined();
  }

  #receiveHeartbeat(frame: ChannelFrame): void {
    if (frame.ref !== this.#heartbeatRef) return;
    this.#heartbeatRef = null;
    this.#scheduleHeartbeat();
  }

  #scheduleHeartbeat(): void {
    const { heartbeatIntervalMs, heartbeatTimeoutMs } = this.#timings;
    clearTimeout(this.#deadline);
    this.#nextHeartbeat = setTimeout(() => this.#beat(heartbeatTimeoutMs), heartbeatIntervalMs);
  }

  #beat(timeoutMs: number): void {
    const ref = this.#ref();
    this.#heartbeatRef = ref;
    clearTimeout(this.#deadline);
    this.#expect('the connection is dead', timeoutMs);
    this.#send({ joinRef: null, ref, topic: 'phoenix', event: 'heartbeat', payload: {} });
  }

  #expect(otherwise: string, timeoutMs: number): void {
    this.#deadline = setTimeout(() => this.#end(otherwise), timeoutMs);
  }

  #send(frame: ChannelFrame): void {
    if (!this.#ended) this.#socket.send(encodeFrame(frame, 'array'));
  }

  /** The events of a WebSocket have no reason; an error may also mean a broken connection. */
  #closeReason(): string {
    return this.#joined ? 'the connection was lost' : 'the connection could not be made';
  }

  #ref(): string {
    return String(++this.#lastRef);
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#nextHeartbeat);
    this.#socket.close();
    this.#events.onEnded(reason);
  }
}
