import { truncate } from '@heliograph/kit';

/** Replies that the broker has not taken yet; a client that writes faster than it takes them gets no more. */
const MAX_PENDING = 64;

/** Longer texts are cut: Home Assistant shows none of a longer one. */
const MAX_LENGTH = 255;

/** Publishes replies to `set` topics' messages, over one connection. */
export class ReplyPublisher {
  readonly #publish: (text: string) => Promise<void>;
  readonly #ended: AbortSignal;
  #pending = 0;

  /** @param publish resolves once the broker has the text @param isEnded aborts when the connection has ended */
  constructor(publish: (text: string) => Promise<void>, isEnded: AbortSignal) {
    this.#publish = publish;
    this.#ended = isEnded;
  }

  /** Whether no reply can be sent any more. */
  get ended(): boolean {
    return this.#ended.aborted;
  }

  publish(text: string): void {
    if (this.ended || this.#pending === MAX_PENDING) return;
    this.#pending++;
    const taken = () => {
      this.#pending--;
    };
    // A closed connection takes no reply; the bridge reports its end.
    this.#publish(truncate(text, MAX_LENGTH)).then(taken, taken);
  }
}
