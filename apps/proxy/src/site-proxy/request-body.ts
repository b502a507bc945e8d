import type { ClientHttp2Stream } from 'node:http2';
import type { ClientRequest, ClientResponse } from '../http/client.ts';

/**
 * How much of a body is kept to send it again where a device refuses the request unprocessed, in bytes. Writes of
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

/** Forwards a request's body as it arrives, at the pace of its receiver. */
export class RequestBody {
  readonly #req: ClientRequest;
  #stream: ClientHttp2Stream;
  /** Everything that came so far, as long as that is little. */
  #replayBuffer: Buffer[] | undefined = [];
  #bytes = 0;
  #ended = false;

  constructor(
    req: ClientRequest,
    res: ClientResponse,
    stream: ClientHttp2Stream,
    { maxBytes, onProgress, onTooLong }: RequestBodyOptions,
  ) {
    this.#req = req;
    this.#stream = stream;
    if (req.headers.expect !== undefined) res.writeContinue();
    req.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > maxBytes) {
        if (!this.#isStreamClosed) onTooLong();
        return;
      }
      if (this.#bytes <= REPLAY_BUFFER_BYTES) this.#replayBuffer?.push(chunk);
      else this.#replayBuffer = undefined;
      // After the device has answered or gone, what still comes is read and dropped.
      if (this.#isStreamClosed) return;
      onProgress();
      if (!this.#stream.write(chunk)) req.pause();
    });
    req.on('end', () => {
      this.#ended = true;
      if (!this.#isStreamClosed) this.#stream.end();
    });
    this.#follow(stream);
  }

  /** Whether the replay buffer still holds the whole body so far. */
  get isRepeatable(): boolean {
    return this.#replayBuffer !== undefined;
  }

  /** Sends the replay buffer and the rest of the body to another stream. */
  resendTo(stream: ClientHttp2Stream): void {
    this.#stream = stream;
    for (const chunk of this.#replayBuffer ?? []) stream.write(chunk);
    if (this.#ended) stream.end();
    this.#follow(stream);
  }

  get #isStreamClosed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  #follow(stream: ClientHttp2Stream): void {
    const resume = (): unknown => this.#req.resume();
    stream.on('drain', resume);
    stream.on('close', resume);
  }
}
