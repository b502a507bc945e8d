import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ClientStream, type StreamTransport } from './client-stream.ts';
import { type Frame, FrameReader } from './frame-reader.ts';
import {
  ACK,
  CANCEL,
  CONTINUATION,
  DATA,
  DEFAULT_WINDOW_BYTES,
  ENABLE_CONNECT_PROTOCOL,
  ENABLE_PUSH,
  END_HEADERS,
  END_STREAM,
  ENHANCE_YOUR_CALM,
  FLOW_CONTROL_ERROR,
  FRAME_SIZE_ERROR,
  frame,
  frameHead,
  GOAWAY,
  HEADERS,
  INITIAL_WINDOW_SIZE,
  MAX_CONCURRENT_STREAMS,
  MAX_HEADER_LIST_SIZE,
  MAX_PAYLOAD_BYTES,
  MAX_WINDOW_BYTES,
  NO_ERROR,
  PING,
  PREFACE,
  PROTOCOL_ERROR,
  PUSH_PROMISE,
  REFUSED_STREAM,
  RST_STREAM,
  SETTINGS,
  settingsFrame,
  uint32,
  WINDOW_UPDATE,
} from './frames.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { encodeHeaders } from './header-encoder.ts';
import { ProtocolViolation } from './protocol-violation.ts';
import { responseHeadOf } from './response-head.ts';

export interface ClientSessionOptions {
  /** Receive window of each stream, in bytes: what is kept of an answer for a slow reader. */
  readonly streamWindowBytes: number;
  /** Receive window of all streams together, in bytes. */
  readonly sessionWindowBytes: number;
  /** Longest head of an answer, in bytes. */
  readonly maxHeadBytes: number;
}

/** Settings of the other side. */
export interface RemoteSettings {
  /** Whether it takes WebSockets (RFC 8441). */
  readonly enableConnectProtocol: boolean;
}

interface SessionEvents {
  remoteSettings: [settings: RemoteSettings];
  /** The other side takes no more requests. */
  goaway: [code: number];
  error: [error: Error];
  close: [];
}

/** The connection takes no more requests; the request was not sent. */
export class SessionEnding extends Error {
  override readonly name = 'SessionEnding';
  /** Whether it is because the numbers of streams are used up. */
  readonly isUsedUp: boolean;

  constructor(isUsedUp = false) {
    super(isUsedUp ? 'the connection has had all the requests it can have' : 'the connection is ending');
    this.isUsedUp = isUsedUp;
  }
}

const LAST_STREAM = 0x7fff_ffff;
/** Payload of a ping in bytes. */
const PING_BYTES = 8;
const NO_PAYLOAD = '\0'.repeat(PING_BYTES);
/** A header block may be so many times longer than the longest head, since it is not known before what it contains. */
const BLOCK_SLACK = 8;
/** Bytes that wait for a slow connection before the other side's pings and settings, which want answers, are too many. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

interface WaitingRequest {
  readonly stream: ClientStream;
  readonly block: string;
}

/**
 * HTTP/2 as a client on a connection that is open already (RFC 9113). Node's own client takes 28 KiB for each connection
 * more and twice the time for each request.
 */
export class ClientSession extends EventEmitter<SessionEvents> implements StreamTransport {
  readonly #socket: Socket;
  readonly #options: ClientSessionOptions;
  readonly #decoder = new HeaderDecoder();
  readonly #streams = new Map<number, ClientStream>();
  /** Requests beyond the number that the other side takes at a time. */
  #waiting: WaitingRequest[] = [];
  /** Writers that wait for the socket. */
  #draining: (() => void)[] = [];
  /** Frames that are sent at the end of this turn of the event loop, a character a byte. */
  #outgoing = '';
  #nextId = 1;
  readonly #reader: FrameReader;
  readonly #onFrame = (frame: Frame): boolean => {
    this.#dispatch(frame);
    return !this.#isDestroyed;
  };
  #maxStreams = Number.POSITIVE_INFINITY;
  #sendWindow = DEFAULT_WINDOW_BYTES;
  #streamSendWindow = DEFAULT_WINDOW_BYTES;
  #receiveWindow: number;
  /** Bytes that were read, of which the other side does not know yet. */
  #readBytes = 0;
  #isClosed = false;
  #isDestroyed = false;

  /** @param socket whose first byte for this side is the first of the other side's HTTP/2 */
  constructor(socket: Socket, options: ClientSessionOptions) {
    super();
    this.#socket = socket;
    this.#options = options;
    this.#receiveWindow = options.sessionWindowBytes;
    this.#reader = new FrameReader(options.maxHeadBytes * BLOCK_SLACK);
    const { streamWindowBytes, sessionWindowBytes, maxHeadBytes } = options;
    const settings = settingsFrame([
      [ENABLE_PUSH, 0],
      [INITIAL_WINDOW_SIZE, streamWindowBytes],
      [MAX_HEADER_LIST_SIZE, maxHeadBytes],
    ]);
    const window = frame(WINDOW_UPDATE, 0, 0, uint32(sessionWindowBytes - DEFAULT_WINDOW_BYTES));
    this.#send(PREFACE + settings + window);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#drained());
    socket.on('error', (error) => this.destroy(error));
    socket.on('end', () => this.destroy());
    socket.on('close', () => this.destroy());
    socket.resume();
  }

  /** Whether it takes no more requests. */
  get closed(): boolean {
    return this.#isClosed;
  }

  get destroyed(): boolean {
    return this.#isDestroyed;
  }

  /**
   * Opens a stream.
   *
   * @param headers names and values by turns, pseudo headers first
   * @throws SessionEnding, UnsendableHeader; nothing was sent then
   */
  request(headers: readonly string[], withBody: boolean): ClientStream {
    if (this.#isClosed) throw new SessionEnding();
    if (this.#nextId > LAST_STREAM) throw new SessionEnding(true);
    const block = encodeHeaders(headers);
    const stream = new ClientStream(this, withBody);
    // The answer to a HEAD may declare the length of a body that does not come.
    if (headers[1] === 'HEAD') stream.bodyBytesLeft = 0;
    if (this.#streams.size < this.#maxStreams) this.#open({ stream, block });
    else this.#waiting.push({ stream, block });
    return stream;
  }

  /** @param payload 8 bytes @throws RangeError when it is longer or shorter */
  ping(payload?: Buffer): void {
    if (payload !== undefined && payload.length !== PING_BYTES) {
      throw new RangeError(`a ping carries ${PING_BYTES} bytes, not ${payload.length}`);
    }
    this.#send(frame(PING, 0, 0, payload?.toString('latin1') ?? NO_PAYLOAD));
  }

  /** Opens no more streams, and ends when those that are open have. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#send(frame(GOAWAY, 0, 0, uint32(0) + uint32(NO_ERROR)));
    this.#refuseWaiting();
    this.#endIfIdle();
  }

  /** Ends at once; every stream fails. @param error what happened, for `error` */
  destroy(error?: Error): void {
    if (this.#isDestroyed) return;
    const code = error === undefined ? NO_ERROR : error instanceof ProtocolViolation ? error.code : CANCEL;
    this.#send(frame(GOAWAY, 0, 0, uint32(0) + uint32(code)));
    this.#flush();
    this.#isClosed = true;
    this.#isDestroyed = true;
    for (const stream of [...this.#streams.values()]) stream.reset(CANCEL);
    this.#refuseWaiting();
    this.#draining = [];
    this.#socket.destroySoon();
    process.nextTick(() => {
      if (error !== undefined) this.emit('error', error);
      this.emit('close');
    });
  }

  sendData(stream: ClientStream, chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const bytes = Math.min(chunk.length - at, MAX_PAYLOAD_BYTES, stream.sendWindow, this.#sendWindow);
      if (bytes <= 0) break;
      this.#sendBytes(frameHead(bytes, DATA, 0, stream.id), chunk.subarray(at, at + bytes));
      stream.sendWindow -= bytes;
      this.#sendWindow -= bytes;
      at += bytes;
    }
    return at - from;
  }

  sendEnd(stream: ClientStream): void {
    this.#send(frameHead(0, DATA, END_STREAM, stream.id));
  }

  awaitDrain(callback: () => void): boolean {
    if (this.#isDestroyed || !this.#socket.writableNeedDrain) return false;
    this.#draining.push(callback);
    return true;
  }

  consumed(stream: ClientStream, bytes: number): void {
    const { streamWindowBytes } = this.#options;
    this.#consumed(bytes);
    if (stream.isReset || stream.isRemoteEnded) return;
    stream.readBytes += bytes;
    if (stream.readBytes >= streamWindowBytes / 2) {
      this.#send(frame(WINDOW_UPDATE, 0, stream.id, uint32(stream.readBytes)));
      stream.receiveWindow += stream.readBytes;
      stream.readBytes = 0;
    }
  }

  released(stream: ClientStream, code: number | undefined): void {
    if (stream.id === 0) {
      this.#waiting = this.#waiting.filter((waiting) => waiting.stream !== stream);
      return;
    }
    if (!this.#streams.delete(stream.id) || this.#isDestroyed) return;
    if (code !== undefined) this.#send(frame(RST_STREAM, 0, stream.id, uint32(code)));
    this.#openWaiting();
    if (this.#isClosed) this.#endIfIdle();
  }

  #receive(chunk: Buffer): void {
    if (this.#isDestroyed) return;
    try {
      this.#reader.read(chunk, this.#onFrame);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      this.destroy(error);
    }
  }

  #dispatch(frame: Frame): void {
    const { type, payload } = frame;
    if (type === DATA) this.#onData(frame);
    else if (type === HEADERS) this.#onHeaders(frame);
    else if (type === WINDOW_UPDATE) this.#onWindowUpdate(frame);
    else if (type === RST_STREAM) {
      requireLength(payload, 4);
      this.#streamOf(frame.stream)?.reset(payload.readUInt32BE());
    } else if (type === SETTINGS) this.#onSettings(frame);
    else if (type === PING) this.#onPing(frame);
    else if (type === GOAWAY) this.#onGoaway(payload);
    else if (type === PUSH_PROMISE) throw new ProtocolViolation('a push, which was not allowed');
    // Others must be ignored (RFC 9113 section 4.1).
  }

  #onData({ flags, stream: id, payload, bytes }: Frame): void {
    this.#receiveWindow -= bytes;
    if (this.#receiveWindow < 0) throw new ProtocolViolation('more than its window', FLOW_CONTROL_ERROR);
    const stream = this.#streamOf(id);
    if (stream === undefined || stream.isReset) {
      this.#consumed(bytes);
      return;
    }
    stream.receiveWindow -= bytes;
    this.consumed(stream, bytes - payload.length);
    const left = stream.bodyBytesLeft;
    const isMalformed =
      !stream.isAnswered || stream.isRemoteEnded || (left !== undefined && payload.length > left);
    if (isMalformed || stream.receiveWindow < 0) {
      this.consumed(stream, payload.length);
      stream.cancel(isMalformed ? PROTOCOL_ERROR : FLOW_CONTROL_ERROR);
      return;
    }
    if (left !== undefined) stream.bodyBytesLeft = left - payload.length;
    if (payload.length > 0) stream.receive(payload);
    if (flags & END_STREAM) this.#onEnd(stream);
  }

  /** Every block is decoded, also one that is of no more use, since it changes the table. */
  #onHeaders({ flags, stream: id, payload }: Frame): void {
    const raw = this.#decoder.decode(payload);
    const stream = this.#streamOf(id);
    if (stream === undefined || stream.isReset) return;
    const isEnd = (flags & END_STREAM) !== 0;
    if (stream.isAnswered) {
      if (isEnd && !stream.isRemoteEnded) this.#onEnd(stream);
      else stream.cancel(PROTOCOL_ERROR);
      return;
    }
    const head = responseHeadOf(raw, this.#options.maxHeadBytes, isEnd);
    const status = head?.status ?? 0;
    if (head === undefined || status === 101 || (status < 200 && isEnd)) stream.cancel(PROTOCOL_ERROR);
    else if (status >= 200) {
      if (status === 204 || status === 304) stream.bodyBytesLeft = 0;
      else stream.bodyBytesLeft ??= head.contentLength;
      stream.receiveHead(head);
      if (isEnd) this.#onEnd(stream);
    }
  }

  #onEnd(stream: ClientStream): void {
    if (stream.isReset) return;
    if ((stream.bodyBytesLeft ?? 0) > 0) stream.cancel(PROTOCOL_ERROR);
    else stream.receiveEnd();
  }

  #consumed(bytes: number): void {
    this.#readBytes += bytes;
    if (this.#readBytes < this.#options.sessionWindowBytes / 2) return;
    this.#send(frame(WINDOW_UPDATE, 0, 0, uint32(this.#readBytes)));
    this.#receiveWindow += this.#readBytes;
    this.#readBytes = 0;
  }

  #onWindowUpdate({ stream: id, payload }: Frame): void {
    requireLength(payload, 4);
    const bytes = payload.readUInt32BE() & MAX_WINDOW_BYTES;
    const stream = id === 0 ? undefined : this.#streamOf(id);
    if (id === 0) {
      this.#sendWindow += bytes;
      if (bytes === 0 || this.#sendWindow > MAX_WINDOW_BYTES)
        throw new ProtocolViolation('an invalid window');
      for (const one of this.#streams.values()) one.sendPending();
    } else if (stream !== undefined) {
      stream.sendWindow += bytes;
      if (bytes === 0 || stream.sendWindow > MAX_WINDOW_BYTES) stream.cancel(FLOW_CONTROL_ERROR);
      else stream.sendPending();
    }
  }

  #onSettings({ flags, stream, payload }: Frame): void {
    const isAck = (flags & ACK) !== 0;
    if (stream !== 0 || payload.length % 6 !== 0 || (isAck && payload.length > 0)) {
      throw new ProtocolViolation('invalid settings', FRAME_SIZE_ERROR);
    }
    if (isAck) return;
    let enableConnectProtocol = false;
    for (let at = 0; at < payload.length; at += 6) {
      const id = payload.readUInt16BE(at);
      const value = payload.readUInt32BE(at + 2);
      if (id === MAX_CONCURRENT_STREAMS) this.#maxStreams = value;
      else if (id === INITIAL_WINDOW_SIZE) this.#setStreamWindow(value);
      else if (id === ENABLE_CONNECT_PROTOCOL) enableConnectProtocol = value === 1;
    }
    this.#answer(frame(SETTINGS, ACK, 0, ''));
    this.emit('remoteSettings', { enableConnectProtocol });
    this.#openWaiting();
  }

  #setStreamWindow(bytes: number): void {
    if (bytes > MAX_WINDOW_BYTES) throw new ProtocolViolation('an invalid window', FLOW_CONTROL_ERROR);
    const more = bytes - this.#streamSendWindow;
    this.#streamSendWindow = bytes;
    for (const stream of this.#streams.values()) {
      stream.sendWindow += more;
      stream.sendPending();
    }
  }

  #onPing({ flags, payload }: Frame): void {
    requireLength(payload, PING_BYTES);
    if (!(flags & ACK)) this.#answer(frame(PING, ACK, 0, payload.toString('latin1')));
  }

  #onGoaway(payload: Buffer): void {
    if (payload.length < 8) throw new ProtocolViolation('a frame has the wrong length', FRAME_SIZE_ERROR);
    const last = payload.readUInt32BE() & LAST_STREAM;
    const code = payload.readUInt32BE(4);
    this.#isClosed = true;
    for (const [id, stream] of this.#streams) if (id > last) stream.reset(REFUSED_STREAM);
    this.#refuseWaiting();
    this.emit('goaway', code);
    if (code === NO_ERROR) this.#endIfIdle();
    else this.destroy(new Error(`the other side ended HTTP/2 with code ${code}`));
  }

  /** @returns undefined for one that is over @throws ProtocolViolation for one that never was */
  #streamOf(id: number): ClientStream | undefined {
    if (id === 0 || id % 2 === 0 || id >= this.#nextId) throw new ProtocolViolation('a frame of no stream');
    return this.#streams.get(id);
  }

  #openWaiting(): void {
    while (!this.#isClosed && this.#waiting.length > 0 && this.#streams.size < this.#maxStreams) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#open(next);
    }
  }

  /** They were not sent, and may be sent elsewhere. */
  #refuseWaiting(): void {
    for (const { stream } of this.#waiting.splice(0)) stream.reset(REFUSED_STREAM);
  }

  #open({ stream, block }: WaitingRequest): void {
    const id = this.#nextId;
    this.#nextId += 2;
    stream.id = id;
    stream.sendWindow = this.#streamSendWindow;
    stream.receiveWindow = this.#options.streamWindowBytes;
    this.#streams.set(id, stream);
    const endFlag = stream.writableFinished ? END_STREAM : 0;
    if (block.length <= MAX_PAYLOAD_BYTES) this.#send(frame(HEADERS, endFlag | END_HEADERS, id, block));
    else {
      for (let at = 0; at < block.length; at += MAX_PAYLOAD_BYTES) {
        const part = block.slice(at, at + MAX_PAYLOAD_BYTES);
        const lastFlag = at + part.length === block.length ? END_HEADERS : 0;
        this.#send(at === 0 ? frame(HEADERS, endFlag, id, part) : frame(CONTINUATION, lastFlag, id, part));
      }
    }
    stream.sendPending();
  }

  #endIfIdle(): void {
    if (this.#streams.size === 0) this.destroy();
  }

  #drained(): void {
    for (const callback of this.#draining.splice(0)) callback();
  }

  /** An answer that the other side asked for, which must not read them too slowly. */
  #answer(text: string): void {
    if (this.#socket.writableLength > MAX_BACKLOG_BYTES) {
      throw new ProtocolViolation('it asks without reading the answers', ENHANCE_YOUR_CALM);
    }
    this.#send(text);
  }

  /** Frames of one turn of the event loop go together: one system call for the requests of many clients. */
  #send(text: string): void {
    if (this.#isDestroyed) return;
    if (this.#outgoing === '') setImmediate(() => this.#flush());
    this.#outgoing += text;
  }

  #flush(): void {
    if (this.#outgoing === '') return;
    const text = this.#outgoing;
    this.#outgoing = '';
    if (this.#socket.writable) this.#socket.write(text, 'latin1');
  }

  #sendBytes(head: string, bytes: Buffer): void {
    if (!this.#socket.writable) return;
    const text = this.#outgoing + head;
    this.#outgoing = '';
    this.#socket.cork();
    this.#socket.write(text, 'latin1');
    this.#socket.write(bytes);
    this.#socket.uncork();
  }
}

function requireLength(payload: Buffer, bytes: number): void {
  if (payload.length !== bytes) throw new ProtocolViolation('a frame has the wrong length', FRAME_SIZE_ERROR);
}
