import type { Logger } from '@heliograph/kit';

/** How often the same trouble of the same device is logged at most, in milliseconds. */
const REPEAT_MS = 60_000;
/** Of how many devices' troubles it is remembered when they were logged. */
const MAX_REMEMBERED = 2_000;

interface RecentFailure {
  loggedMs: number;
  /** How often it came since. */
  unlogged: number;
}

/** Logs why tunnels fail: a device that tries again and again does not fill the log with one line. */
export class TunnelLog {
  readonly #logger: Logger;
  /** The one logged longest ago first. */
  readonly #failures = new Map<string, RecentFailure>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * @param who the device's uid, or its address without a valid token
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
