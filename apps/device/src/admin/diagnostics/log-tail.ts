import type { DestinationStream } from '@heliograph/kit';

/** Most of the log that is kept, in bytes. */
export const MAX_LOG_BYTES = 2 * 1024 * 1024;

/** The newest lines of the log, in memory: of this process alone. */
export class LogTail {
  readonly #lines: string[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_LOG_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Lines of JSON as the logger wrote them, the oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** A destination of a logger that keeps each line before it passes it on. */
  before(destination: DestinationStream): DestinationStream {
    return {
      write: (line) => {
        this.#keep(line);
        destination.write(line);
      },
    };
  }

  #keep(line: string): void {
    this.#lines.push(line);
    this.#bytes += Buffer.byteLength(line);
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#lines.shift();
      if (oldest === undefined) break;
      this.#bytes -= Buffer.byteLength(oldest);
    }
  }
}
