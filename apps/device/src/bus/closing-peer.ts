/** A connection that ends this soon after an answer was closed because of it; one that outlives it was not. In milliseconds. */
const AFTER_ANSWER_MS = 250;
/** So many closings in a row are a habit. */
const HABIT = 2;

/**
 * Whether the other side closes every connection after an answer, as some gateways do. A request that is sent while it
 * closes is lost, so each then gets a connection of its own, until one is seen to outlive its answer and to carry another.
 */
export class ClosingPeer {
  #closings = 0;

  get closesAfterAnswers(): boolean {
    return this.#closings >= HABIT;
  }

  /** Whether a connection that is open so long after its answer may carry another request, in milliseconds. */
  mayCarryAnother(afterAnswerMs: number): boolean {
    return !this.closesAfterAnswers || afterAnswerMs > AFTER_ANSWER_MS;
  }

  /** @param afterAnswerMs from the last answer until the other side closed, in milliseconds; undefined for any other end */
  ended(afterAnswerMs: number | undefined): void {
    if (afterAnswerMs !== undefined && afterAnswerMs <= AFTER_ANSWER_MS) this.#closings += 1;
    else if (!this.closesAfterAnswers) this.#closings = 0;
  }

  /** A connection carried another answer. @param afterAnswerMs since the one before it, in milliseconds */
  carriedAnother(afterAnswerMs: number): void {
    if (afterAnswerMs > AFTER_ANSWER_MS) this.#closings = 0;
  }
}
