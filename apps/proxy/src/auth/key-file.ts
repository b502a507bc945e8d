import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Logger, messageOf } from '@heliograph/kit';
import type { JwksKeysOptions } from '@heliograph/wire';

type KeySet = NonNullable<JwksKeysOptions['initial']>;

/** Public keys in a file, so that a proxy that starts during an outage of the cloud can verify tokens. */
export class KeyFile {
  readonly #file: string;
  readonly #logger: Logger;
  #written: string | undefined;

  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  /** @returns undefined when there is no such file yet, or none that can be used */
  read(): KeySet | undefined {
    try {
      const text = readFileSync(this.#file, 'utf8');
      const keys: unknown = JSON.parse(text);
      if (!isKeySet(keys)) throw new Error('it holds no key set');
      this.#written = text;
      return keys;
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) this.#warn(error, 'the kept keys cannot be used');
      return undefined;
    }
  }

  /** Keeps them where they are others than before. A disk that fails costs the next start, not this one. */
  write(keys: KeySet): void {
    const text = JSON.stringify(keys);
    if (text === this.#written) return;
    try {
      writeFileSync(`${this.#file}.new`, text, { mode: 0o600, flush: true });
      renameSync(`${this.#file}.new`, this.#file);
      this.#written = text;
    } catch (error) {
      this.#warn(error, 'the keys cannot be kept');
    }
  }

  #warn(error: unknown, message: string): void {
    this.#logger.warn({ file: this.#file, reason: messageOf(error) }, message);
  }
}

function isKeySet(value: unknown): value is KeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}
