/** Reasons why calls to the cloud fail. Several callers meet the same one, and one warning in the log is enough. */
export class CloudProblems {
  #warned: string | undefined;

  /** The level of the log line about a call that failed. */
  levelOf(reason: string): 'warn' | 'info' {
    const isKnown = reason === this.#warned;
    this.#warned = reason;
    return isKnown ? 'info' : 'warn';
  }

  /** A call succeeded. */
  end(): void {
    this.#warned = undefined;
  }
}
