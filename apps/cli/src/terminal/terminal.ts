import { styleText } from 'node:util';

/** Standard output and error. Colours appear on a terminal only, and not when NO_COLOR is set. */
export class Terminal {
  /** Aborts when the output is no longer read, as with `| head`. */
  readonly closed: AbortSignal;

  constructor() {
    const closing = new AbortController();
    this.closed = closing.signal;
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      closing.abort();
    });
  }

  /** Prints one or more lines to standard output. */
  print(text: string): void {
    if (!this.closed.aborted) process.stdout.write(`${text}\n`);
  }

  /** Prints a line to standard error. */
  warn(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  bold(text: string): string {
    return styleText('bold', text, { stream: process.stdout });
  }
}
