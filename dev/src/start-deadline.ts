import { StartRefusal } from './machine/start-refusal.ts';

/**
 * One deadline over all steps of a start. When it passes, or the start is cancelled, the awaited step fails with a
 * message that names the late step and its log.
 */
export class StartDeadline {
  readonly signal: AbortSignal;
  readonly #timeoutMs: number;
  readonly #cancelled: AbortSignal | undefined;

  constructor(timeoutMs: number, cancelled?: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#cancelled = cancelled;
    const timeout = AbortSignal.timeout(timeoutMs);
    this.signal = cancelled ? AbortSignal.any([timeout, cancelled]) : timeout;
  }

  /**
   * Waits for a step.
   *
   * @param what the step as the message names it, such as `the cloud`
   * @param logFile of the part that the step belongs to
   */
  async wait<T>(what: string, logFile: string, step: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = (): void => reject(this.#refusal(what, logFile));
    if (this.signal.aborted) late();
    this.signal.addEventListener('abort', late);
    try {
      return await Promise.race([step, promise]);
    } catch (error) {
      // Aborted waits end with errors of their own, which name less.
      throw this.signal.aborted ? this.#refusal(what, logFile) : error;
    } finally {
      this.signal.removeEventListener('abort', late);
      promise.catch(() => undefined);
      step.catch(() => undefined);
    }
  }

  #refusal(what: string, logFile: string): StartRefusal {
    if (this.#cancelled?.aborted) return new StartRefusal('The start was called off');
    return new StartRefusal(
      `The system was not ready after ${Math.round(this.#timeoutMs / 1000)} s: it still waited for ${what}; see ${logFile}`,
    );
  }
}
