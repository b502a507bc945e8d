import { Readable } from 'node:stream';
import type { ClientRequest, ClientResponse } from '../http/client.ts';

/**
 * How much of a body is kept to send it again where a device refuses the request unread, in bytes. Writes of
 * settings are far smaller; a larger body is sent once.
 */
const REPLAY_BUFFER_BYTES = 16 * 1024;

export interface RequestBodyOptions {
  readonly maxBytes: number;
  /** Called for every part that was passed on. */
  readonly onProgress: () => void;
  /** Called when more came than a body may have. */
  readonly onTooLong: () => void;
}

/** A request's body as it arrives, at the pace of its receiver. */
export class RequestBody {
  readonly #req: ClientRequest;
  /** Of the attempt to send it that is under way. */
  #attempt: Readable | undefined;
  /** Everything that came so far, as long as that is little. */
  #replayBuffer: Buffer[] | undefined = [];
  #bytes = 0;
  #ended = false;

  constructor(
    req: ClientRequest,
    res: ClientResponse,
    { maxBytes, onProgress, onTooLong }: RequestBodyOptions,
  ) {
    this.#req = req;
    if (req.headers.expect !== undefined) res.writeContinue();
    req.on('data', (chunk: Buffer) => {
      const attempt = this.#attempt;
      const isWanted = attempt !== undefined && !attempt.destroyed;
      this.#bytes += chunk.length;
      if (this.#bytes > maxBytes) {
        if (isWanted) onTooLong();
        return;
      }
      if (this.#bytes <= REPLAY_BUFFER_BYTES) this.#replayBuffer?.push(chunk);
      else this.#replayBuffer = undefined;
      // After the device has answered or gone, what still comes is read and dropped.
      if (!isWanted) return;
      onProgress();
      if (!attempt.push(chunk)) req.pause();
    });
    req.on('end', () => {
      this.#ended = true;
      if (this.#attempt?.destroyed === false) this.#attempt.push(null);
    });
  }

  /** Whether the replay buffer still holds the whole body so far. */
  get isRepeatable(): boolean {
    return this.#replayBuffer !== undefined;
  }

  /** The body for one attempt to send it: the part that came so far, and then the rest. */
  begin(): Readable {
    const resume = (): unknown => this.#req.resume();
    const attempt = new Readable({ read: resume });
    attempt.once('close', resume);
    for (const chunk of this.#replayBuffer ?? []) attempt.push(chunk);
    if (this.#ended) attempt.push(null);
    this.#attempt = attempt;
    return attempt;
  }

  /** It has no receiver any more: the rest is read and dropped, so that the client's connection can go on. */
  drop(): void {
    this.#attempt?.destroy();
    this.#req.resume();
  }
}
