import { StartRefusal } from './machine/start-refusal.ts';

/**
 * One deadline over all steps of a start. When it passes, or the start is called off, the step that is being
 * waited for fails with a message that says what was late and where to read more.
 */
export class StartDeadline {
  readonly signal: AbortSignal;
  readonly #timeoutMs: number;
  readonly #calledOff: AbortSignal | undefined;

  constructor(timeoutMs: number, calledOff?: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#calledOff = calledOff;
    const timeout = AbortSignal.timeout(timeoutMs);
    this.signal = calledOff ? AbortSignal.any([timeout, calledOff]) : timeout;
  }

  /**
   * Waits for a step.
   *
   * @param what the step in the user's words, such as `the cloud`
   * @param logFile where the one responsible writes its log
   */
  async wait<T>(what: string, logFile: string, step: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = (): void => reject(this.#refusal(what, logFile));
    if (this.signal.aborted) late();
    this.signal.addEventListener('abort', late);
    try {
      return await Promise.race([step, promise]);
    } catch (error) {
      // Aborted waits end with errors of their own, which say less.
      throw this.signal.aborted ? this.#refusal(what, logFile) : error;
    } finally {
      this.signal.removeEventListener('abort', late);
      promise.catch(() => undefined);
      step.catch(() => undefined);
    }
  }

  #refusal(what: string, logFile: string): StartRefusal {
    if (this.#calledOff?.aborted) return new StartRefusal('The start was called off');
    return new StartRefusal(
      `The system was not ready after ${Math.round(this.#timeoutMs / 1000)} s: it still waited for ${what}; see ${logFile}`,
    );
  }
}
