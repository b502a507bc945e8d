/** A setting was refused, or its outcome is unknown because the connection or the time ran out. */
export class WriteFailed extends Error {
  override readonly name = 'WriteFailed';
}

interface Pending {
  readonly resolve: () => void;
  readonly reject: (error: WriteFailed) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Writes that were sent and not answered yet. A result names only its topic, so results of one topic are
 * given to its writes in the order in which they were sent.
 */
export class PendingWrites {
  readonly #byTopic = new Map<string, Pending[]>();

  add(topic: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(topic, pending);
        reject(new WriteFailed(`${topic}: no answer; it may or may not have changed`));
      }, timeoutMs);
      const pending: Pending = { resolve, reject, timer };
      this.#byTopic.set(topic, [...(this.#byTopic.get(topic) ?? []), pending]);
    });
  }

  /** Takes the payload of a `set_result`. */
  settle({ topic, result, message }: Readonly<Record<string, unknown>>): void {
    if (typeof topic !== 'string') return;
    const [pending] = this.#byTopic.get(topic) ?? [];
    if (pending === undefined) return;
    this.#remove(topic, pending);
    if (result === 'ok') pending.resolve();
    else pending.reject(new WriteFailed(typeof message === 'string' ? message : `${topic} was refused`));
  }

  /** Gives up on all: whether they were carried out is not known. */
  abandon(): void {
    for (const [topic, queue] of this.#byTopic) {
      for (const pending of queue) {
        this.#remove(topic, pending);
        pending.reject(new WriteFailed(`${topic}: the connection was lost; it may or may not have changed`));
      }
    }
  }

  #remove(topic: string, pending: Pending): void {
    clearTimeout(pending.timer);
    const rest = (this.#byTopic.get(topic) ?? []).filter((other) => other !== pending);
    if (rest.length === 0) this.#byTopic.delete(topic);
    else this.#byTopic.set(topic, rest);
  }
}
