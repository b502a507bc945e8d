import type { Socket } from 'node:net';
import {
  type FrameListener,
  FrameReader,
  FrameType,
  frameHead,
  ProtocolFault,
  SIGNAL_BYTES,
} from './frames.ts';
import { VirtualConnection, WINDOW_BYTES } from './virtual-connection.ts';

/** Virtual connections of a tunnel at a time, unless it is given another limit. */
export const MAX_CONNECTIONS = 10_000;
/**
 * Bytes that wait to be sent beyond which no connection is opened: an end that never reads would otherwise fill the other's
 * memory with requests that are taken back and made again.
 */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;
/**
 * Bytes that wait to be sent beyond which an end that takes connections cuts the tunnel, those of open connections aside, whose
 * credit bounds them: an opener that never reads, and opens without end, would otherwise fill the memory with answers.
 */
const MAX_UNREAD_BYTES = 4 * MAX_UNSENT_BYTES;
/** The same for frames without data, each of which takes some 256 bytes of memory. */
const MAX_UNREAD_FRAMES = MAX_UNREAD_BYTES / 256;
/** Numbers of connections have 32 bits. */
const MAX_ID = 0xffffffff;

export interface MultiplexerListener {
  /** The other end opened a connection. Only the end that does not open any has it. */
  onConnection?(connection: VirtualConnection): void;
  /** A message about the tunnel itself, of eight bytes. */
  onSignal(payload: Buffer): void;
  /** The other end begins nothing more. */
  onLeave(): void;
  /** The tunnel is gone. @param reason for the log, undefined where the other end closed it in order */
  onClose(reason: string | undefined): void;
}

export interface MultiplexerOptions {
  /** The connection beneath, on which both ends speak the protocol of the tunnel from now on. */
  readonly socket: Socket;
  /** Whether this end opens connections; the other one takes them. */
  readonly opens: boolean;
  /** How many connections of the other end this end takes at a time. */
  readonly maxConnections?: number;
}

/** Many virtual connections on one connection. */
export class Multiplexer implements FrameListener {
  readonly #socket: Socket;
  readonly #opens: boolean;
  readonly #listener: MultiplexerListener;
  readonly #maxConnections: number;
  readonly #reader = new FrameReader(this);
  readonly #connections = new Map<number, VirtualConnection>();
  /** The connection of the frame of data that comes; undefined: it is gone. */
  #receiver: VirtualConnection | undefined;
  #lastId = 0;
  #reason: string | undefined;
  #isLeaveSent = false;
  #isLeaveReceived = false;
  /** The flush that is due. */
  #nextFlush: NodeJS.Immediate | undefined;
  /** The newest ping that is to be answered. */
  #pong: number | undefined;
  #isCorked = false;
  /** Frames without data that were written since the connection beneath had room. */
  #unreadFrames = 0;
  /** Virtual connections that wait until the connection beneath takes more. */
  readonly #held: (() => void)[] = [];
  readonly #flush = (): void => {
    this.#nextFlush = undefined;
    const pong = this.#pong;
    // An end that does not read gets no answers that it could fill the memory with.
    if (pong !== undefined && this.#socket.writable && this.isWritable) {
      this.#pong = undefined;
      this.#socket.write(frameHead(FrameType.PONG, 0, pong));
    }
    if (this.#isCorked) {
      this.#isCorked = false;
      this.#socket.uncork();
    }
    if (this.isWritable) this.#unreadFrames = 0;
  };

  constructor(options: MultiplexerOptions, listener: MultiplexerListener) {
    const { socket, opens, maxConnections = MAX_CONNECTIONS } = options;
    this.#socket = socket;
    this.#opens = opens;
    this.#listener = listener;
    this.#maxConnections = maxConnections;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => {
      this.#reason ??= error.message;
    });
    socket.on('drain', () => {
      this.#unreadFrames = 0;
      if (this.#pong !== undefined) this.#flushLater();
      for (const goOn of this.#held.splice(0)) goOn();
    });
    socket.once('end', () => socket.destroy());
    socket.once('close', () => this.#onSocketClosed());
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  /** Bytes that came so far. */
  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Whether one of the ends begins nothing more. */
  get isLeaving(): boolean {
    return this.#isLeaveSent || this.#isLeaveReceived;
  }

  /** Open connections. */
  get size(): number {
    return this.#connections.size;
  }

  /** Whether there are no numbers for more connections. */
  get isUsedUp(): boolean {
    return this.#lastId >= MAX_ID;
  }

  /** Whether so much waits to be sent that no connection is opened. */
  get isCongested(): boolean {
    return this.#socket.writableLength > MAX_UNSENT_BYTES;
  }

  /** @returns undefined when the tunnel is gone, being left, congested or used up */
  open(): VirtualConnection | undefined {
    if (this.isClosed || this.isLeaving || this.isCongested || this.isUsedUp) return undefined;
    const id = ++this.#lastId;
    const connection = new VirtualConnection(this, id);
    this.#connections.set(id, connection);
    this.send(FrameType.OPEN, 0, id);
    return connection;
  }

  /**
   * Sends what is written in this turn of the event loop after the immediates that are due: a client of HTTP writes in one
   * of its own, and would wait a whole turn for the next flush.
   */
  flushAfterImmediates(): void {
    clearImmediate(this.#nextFlush);
    this.#nextFlush = setImmediate(this.#flush);
  }

  /** Asks for a sign of life. */
  ping(): void {
    this.send(FrameType.PING, 0, 0);
  }

  /** @param payload eight bytes */
  signal(payload: Buffer): void {
    this.#write([frameHead(FrameType.SIGNAL, SIGNAL_BYTES, 0), payload]);
  }

  /** Begins nothing more; the tunnel closes when the other end has agreed and no connection is left. */
  leave(): void {
    if (this.#isLeaveSent) return;
    this.send(FrameType.LEAVE, 0, 0);
    this.#isLeaveSent = true;
    this.#closeIfLeft();
  }

  /** Takes its leave and cuts the tunnel and every connection on it, so that the other end sees that this was wanted. */
  end(reason: string): void {
    this.#reason ??= reason;
    if (!this.#isLeaveSent) this.send(FrameType.LEAVE, 0, 0);
    this.#flush();
    this.#socket.destroy();
  }

  /** Cuts the tunnel and every connection on it. */
  destroy(reason?: string): void {
    this.#reason ??= reason;
    this.#socket.destroy();
  }

  /** For virtual connections. */
  send(type: FrameType, value: number, connection: number): void {
    this.#unreadFrames++;
    this.#write([frameHead(type, value, connection)]);
  }

  /** For virtual connections: whether the connection beneath takes more now. */
  get isWritable(): boolean {
    return !this.#socket.writableNeedDrain;
  }

  /** For virtual connections: calls back when the connection beneath takes more. */
  whenWritable(goOn: () => void): void {
    if (this.isWritable) goOn();
    else this.#held.push(goOn);
  }

  /** For virtual connections. */
  sendData(connection: number, parts: readonly Buffer[], bytes: number): void {
    this.#write([frameHead(FrameType.DATA, bytes, connection), ...parts]);
  }

  /** For virtual connections. */
  remove(connection: number): void {
    this.#connections.delete(connection);
    this.#closeIfLeft();
  }

  onDataBegin(id: number, bytes: number): void {
    if (this.isClosed) return;
    this.#receiver = this.#known(id);
    if (this.#receiver?.charge(bytes) === false)
      throw new ProtocolFault('more data than there was credit for');
  }

  onData(id: number, part: Buffer): void {
    // It may be gone since its frame began.
    if (!this.isClosed && this.#connections.has(id)) this.#receiver?.receive(part);
  }

  onSignal(payload: Buffer): void {
    if (!this.isClosed) this.#listener.onSignal(payload);
  }

  onFrame(type: FrameType, value: number, id: number): void {
    if (this.isClosed) return;
    switch (type) {
      case FrameType.OPEN:
        this.#onOpen(id);
        break;
      case FrameType.END:
        if (this.#known(id)?.receiveEnd() === false) throw new ProtocolFault('a connection ended twice');
        break;
      case FrameType.RESET:
        this.#known(id)?.receiveReset('the other end reset the connection');
        break;
      case FrameType.CREDIT:
        if (this.#known(id)?.receiveCredit(value) === false)
          throw new ProtocolFault(`credit of ${value} bytes`);
        break;
      case FrameType.PING:
        // A flood of them is answered once.
        this.#pong = id;
        this.#flushLater();
        break;
      case FrameType.LEAVE:
        this.#onLeave();
        break;
    }
  }

  #onOpen(id: number): void {
    if (this.#opens || id !== this.#lastId + 1)
      throw new ProtocolFault(`connection ${id} after ${this.#lastId}`);
    this.#lastId = id;
    const mayWaitBytes = MAX_UNREAD_BYTES + this.#connections.size * WINDOW_BYTES;
    if (this.#socket.writableLength > mayWaitBytes || this.#unreadFrames > MAX_UNREAD_FRAMES) {
      this.destroy('the other end opens connections, and does not read');
      return;
    }
    if (this.#connections.size >= this.#maxConnections) {
      this.send(FrameType.RESET, 0, id);
      return;
    }
    const connection = new VirtualConnection(this, id);
    this.#connections.set(id, connection);
    this.#listener.onConnection?.(connection);
  }

  #onLeave(): void {
    if (this.#isLeaveReceived) return;
    this.#isLeaveReceived = true;
    this.#listener.onLeave();
    this.leave();
    this.#closeIfLeft();
  }

  /** @returns undefined for one that is gone: what the other end sent before it knew is dropped */
  #known(id: number): VirtualConnection | undefined {
    if (id === 0 || id > this.#lastId) throw new ProtocolFault(`connection ${id} was never opened`);
    return this.#connections.get(id);
  }

  #closeIfLeft(): void {
    if (!this.#isLeaveSent || !this.#isLeaveReceived || this.#connections.size > 0) return;
    this.#flush();
    this.#socket.destroySoon();
  }

  #receive(chunk: Buffer): void {
    try {
      this.#reader.read(chunk);
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error;
      this.destroy(`the other end broke the tunnel's protocol: ${error.message}`);
    }
  }

  #write(parts: readonly Buffer[]): void {
    if (!this.#socket.writable) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
    }
    for (const part of parts) this.#socket.write(part);
    this.#flushLater();
  }

  /** Everything that is sent within one turn of the event loop goes in one write. */
  #flushLater(): void {
    this.#nextFlush ??= setImmediate(this.#flush);
  }

  #onSocketClosed(): void {
    for (const connection of [...this.#connections.values()]) connection.receiveReset('the tunnel is gone');
    this.#listener.onClose(this.#reason);
  }
}
