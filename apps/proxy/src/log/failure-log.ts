import type { Logger } from '@heliograph/kit';

/** How often the same failure of the same peer is logged at most, in milliseconds. */
const REPEAT_MS = 60_000;
/** How many failures are remembered with the time of their line. */
const MAX_REMEMBERED = 2_000;

interface RecentFailure {
  loggedMs: number;
  /** How often it came since. */
  unlogged: number;
}

/** Logs failures of connections: one that is repeated again and again does not fill the log with one line. */
export class FailureLog {
  readonly #logger: Logger;
  /** The one logged longest ago first. */
  readonly #failures = new Map<string, RecentFailure>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * @param who a uid of a device, or an address
   * @param what the kind of failure, which identifies repetitions
   * @param facts further fields of the log line
   */
  logFailure(who: string, what: string, facts: object, message: string): void {
    const key = `${who} ${what}`;
    const nowMs = performance.now();
    const known = this.#failures.get(key);
    if (known !== undefined && nowMs - known.loggedMs < REPEAT_MS) {
      known.unlogged++;
      return;
    }
    this.#failures.delete(key);
    if (this.#failures.size >= MAX_REMEMBERED) {
      const [oldest] = this.#failures.keys();
      if (oldest !== undefined) this.#failures.delete(oldest);
    }
    this.#failures.set(key, { loggedMs: nowMs, unlogged: 0 });
    const repeated = known === undefined || known.unlogged === 0 ? {} : { repeated: known.unlogged };
    this.#logger.info({ ...facts, ...repeated }, message);
  }
}
