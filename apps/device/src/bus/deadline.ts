/** How late a deadline is noticed by a process that has nothing else to do. */
const USUALLY_LATE_MS = 10;

/**
 * A timeout for answers. A process that was busy when it expired has not read yet what arrived in time: it is
 * given as long as it was late to catch up.
 */
export class Deadline {
  #timer: NodeJS.Timeout;

  constructor(ms: number, onExpired: () => void) {
    const dueAtMs = performance.now() + ms;
    this.#timer = setTimeout(() => {
      const lateMs = performance.now() - dueAtMs;
      if (lateMs < USUALLY_LATE_MS) onExpired();
      else this.#timer = setTimeout(onExpired, lateMs);
    }, ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
