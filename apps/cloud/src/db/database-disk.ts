import type { Clock } from '@heliograph/kit';
import type { CheckResult } from '@heliograph/telemetry';
import { DatabaseError } from 'pg';

/** SQLSTATE disk_full. */
const DISK_FULL = '53100';

/** A write that failed for want of room counts for so long, in milliseconds. */
const MEMORY_MS = 5 * 60_000;

/** The disk of the database, which may be on another machine: what is known of it comes from failed writes. */
export class DatabaseDisk {
  readonly #clock: Clock;
  #fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  noteFailure(error: unknown): void {
    if (error instanceof DatabaseError && error.code === DISK_FULL) this.#fullAtMs = this.#clock.monotonic();
  }

  /**
   * Reads go on while the disk is full, so that no process is taken out of service for it. A server that has no room for
   * its log of writes stops instead, without an error code.
   *
   * @param isReached whether the database answers
   */
  check(isReached: boolean): CheckResult {
    if (this.#clock.monotonic() - this.#fullAtMs > MEMORY_MS)
      return isReached
        ? { status: 'ok', detail: 'No write failed for want of room' }
        : { status: 'warning', detail: 'Not known while the database does not answer; a full disk stops it' };
    return { status: 'warning', detail: 'The disk of the database is full' };
  }
}
