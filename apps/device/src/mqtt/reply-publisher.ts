/** Answers that the broker has not taken yet; whoever asks faster than it takes them gets no more. */
const MAX_UNTAKEN = 64;

/** Longer texts are cut: Home Assistant shows none of a longer one. */
const MAX_LENGTH = 255;

/** What is told to those who publish to `set` topics, over one connection. */
export class ReplyPublisher {
  readonly #publish: (text: string) => Promise<void>;
  readonly #ended: AbortSignal;
  #untaken = 0;

  /** @param publish resolves once the broker has the text @param isEnded aborts when the connection has ended */
  constructor(publish: (text: string) => Promise<void>, isEnded: AbortSignal) {
    this.#publish = publish;
    this.#ended = isEnded;
  }

  /** Whether nobody can be told any more. */
  get ended(): boolean {
    return this.#ended.aborted;
  }

  publish(text: string): void {
    if (this.ended || this.#untaken === MAX_UNTAKEN) return;
    this.#untaken++;
    const taken = () => {
      this.#untaken--;
    };
    // A connection that is gone takes no answer; that it is gone is told elsewhere.
    this.#publish(cut(text)).then(taken, taken);
  }
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
}
