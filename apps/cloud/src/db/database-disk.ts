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

  /** Reads go on while the disk is full, so that no process is taken out of service for it. */
  check(): CheckResult {
    if (this.#clock.monotonic() - this.#fullAtMs > MEMORY_MS)
      return { status: 'ok', detail: 'No write failed for want of room' };
    return { status: 'warning', detail: 'The disk of the database is full' };
  }
}
