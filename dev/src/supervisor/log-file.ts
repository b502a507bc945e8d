import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Beyond this size a log restarts empty; the full one is renamed to `.1`. */
const MAX_BYTES = 5 * 1024 * 1024;

/** A process's log: appended to, bounded in size, readable by its owner alone. */
export class LogFile {
  readonly path: string;
  readonly #maxBytes: number;
  #bytes: number;

  constructor(path: string, maxBytes = MAX_BYTES) {
    this.path = path;
    this.#maxBytes = maxBytes;
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Never throws: a full disk must not end the processes whose log this is. */
  write(text: string | Buffer): void {
    try {
      if (this.#bytes > this.#maxBytes) {
        renameSync(this.path, `${this.path}.1`);
        this.#bytes = 0;
      }
      appendFileSync(this.path, text, { mode: 0o600 });
      this.#bytes += text.length;
    } catch {
      // No log is left to report it to.
    }
  }
}
