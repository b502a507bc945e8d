/** One connection to hardware, whatever protocol it carries. */
export interface Bus {
  /** The name in logs, such as `modbus-tcp://192.168.1.20:502`. */
  readonly name: string;
  readonly traffic: Traffic;
  /** How long the last answer took, from when its request was sent, in milliseconds; null before the first. */
  readonly roundTripMs: number | null;
  /** Whether the other side closes the connection after each answer, so that every request opens a new one. */
  readonly closesAfterAnswers: boolean;

  /** Requests under way fail at once, later ones before they are sent. Then the line is free for others. */
  close(): Promise<void>;
}

/** Counts of one connection since it was made; they only grow. */
export interface Traffic {
  /** Requests sent, or frames waited for. */
  readonly requests: number;
  /** Whole answers of the right hardware to the right request. */
  readonly answered: number;
  /** Requests that nothing answered in time. */
  readonly silent: number;
  /** Frames dropped for being truncated, corrupt, late, doubled or another unit's; none became a value. */
  readonly dropped: number;
  /** The last requests and answers, the oldest first. */
  readonly lastFrames: readonly BusFrame[];
}

/** Bytes that went over a bus. */
export interface BusFrame {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly direction: 'sent' | 'received';
  /** At most {@link MAX_FRAME_BYTES} of them. */
  readonly bytes: Uint8Array;
}

/** How many frames are kept of a bus, and how much of each, in bytes. */
export const MAX_FRAMES = 64;
export const MAX_FRAME_BYTES = 512;

/** Counts for one connection, and its last frames. */
export class TrafficCounter implements Traffic {
  requests = 0;
  answered = 0;
  silent = 0;
  dropped = 0;
  readonly #frames: BusFrame[] = [];

  get lastFrames(): readonly BusFrame[] {
    return this.#frames;
  }

  note(direction: BusFrame['direction'], bytes: Uint8Array): void {
    this.#frames.push({ at: Date.now(), direction, bytes: bytes.slice(0, MAX_FRAME_BYTES) });
    if (this.#frames.length > MAX_FRAMES) this.#frames.shift();
  }
}

/** How a request that changes something is sent. */
export interface SendOptions {
  /** Aborts while the request waits for its turn: it is then never sent. */
  readonly signal?: AbortSignal | undefined;
  /** Called at its turn, right before `onSend`. @throws LinkDown when it must not be sent any more */
  readonly requireTime?: (() => void) | undefined;
  /** Called right before its first byte leaves. */
  readonly onSend?: (() => void) | undefined;
}
