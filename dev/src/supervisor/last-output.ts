/** Of a process's error output, this many characters are stored to explain its end. */
const MAX_LENGTH = 8192;

/** The end of a process's error output, and the reason in it why the process ended. */
export class LastOutput {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_LENGTH);
  }

  /** The line that explains the end best: an error's message before its stack, or else the last line. */
  get line(): string {
    const lines = this.#text.split('\n').filter((line) => line.trim() !== '');
    // Node closes an uncaught error with its version, and shows the error's fields after the stack.
    const plain = lines.filter((line) => !/^(\s|[}\]]|Node\.js v)/.test(line));
    const error = plain.findLast((line) => /^(Uncaught )?\w*Error\b.*: /.test(line));
    return messageIn(error ?? plain.at(-1) ?? 'it said nothing');
  }
}

/** A JSON log line's message, with its reason and its error's. */
function messageIn(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, reason, err } = JSON.parse(line) as Fields;
    const parts = [msg, reason, err?.message].filter((part) => typeof part === 'string');
    return parts.length > 0 ? [...new Set(parts)].join(': ') : line;
  } catch {
    return line;
  }
}

interface Fields {
  readonly msg?: unknown;
  readonly reason?: unknown;
  readonly err?: { readonly message?: unknown };
}
