import type { Bus, SendOptions } from './bus.ts';

/**
 * A line that carries bytes (a serial port, a TCP socket of a serial server, a USB HID device), for protocols with
 * frames of their own. One thing happens on it at a time; buses never wait for each other.
 */
export interface ByteBus extends Bus {
  /**
   * Sends a request that changes nothing and waits for its answer; what had come in before is dropped. Asked a
   * second time when the answer was garbled or the line was lost, never when there was silence.
   *
   * @throws LinkDown when the line cannot be opened, or nothing trustworthy came back
   */
  read(request: Uint8Array, answer: FrameRule): Promise<Uint8Array>;

  /**
   * Sends a request that changes something. Never repeated by the bus.
   *
   * @throws LinkDown when nothing was sent: nothing changed
   * @throws WriteUnanswered when it was sent and no trustworthy answer came: the outcome is unknown
   */
  write(request: Uint8Array, answer: FrameRule, options?: SendOptions): Promise<Uint8Array>;

  /**
   * Waits for a frame that the hardware sends of its own accord. Bytes received since the last call are kept, up to
   * a few seconds of it, so that no frame is missed and the newest whole one counts.
   *
   * @throws LinkDown when none came in time
   */
  listen(frame: FrameRule): Promise<Uint8Array>;
}

/** How a frame of a protocol is found among the bytes around it. */
export interface FrameRule {
  /** How long a whole frame may take, in milliseconds. */
  readonly timeoutMs: number;

  /**
   * The same for requests whose answers look the same, such as the address of a unit that
   * its answers carry. After silence the next request with this key waits for as long again, because a late answer would be
   * taken for its own. All requests on the bus when left out.
   */
  readonly responseKey?: string;

  /**
   * Looks for the frame in everything that has come in so far. A frame that fails its checksum, or belongs to
   * another request or unit, is skipped, which the bus counts as dropped.
   */
  find(bytes: Uint8Array): FrameMatch;
}

/**
 * - `frame`: a whole frame; `end` is the first byte after it. `doubtful` is set when it may belong to another request
 *   that looks alike: it counts unless another frame follows immediately.
 * - `more`: the beginning of a frame may be there.
 * - `skip`: everything before `end` is no frame that is wanted; `reason` is for the log. `ignorable` is set
 *   for a good frame that the hardware sends of its own accord and that no request asked for: it is not counted.
 *   `damaged` is set when this was the answer itself and no other will come: the request has failed at once.
 */
export type FrameMatch =
  | {
      readonly is: 'frame';
      readonly frame: Uint8Array;
      readonly end: number;
      readonly doubtful?: boolean;
    }
  | { readonly is: 'more' }
  | {
      readonly is: 'skip';
      readonly end: number;
      readonly reason: string;
      readonly ignorable?: true;
      readonly damaged?: true;
    };
