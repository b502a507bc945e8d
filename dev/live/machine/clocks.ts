import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TEST_TLS } from '../../src/testing/test-tls.ts';

/** The clocks that the programs of a live run read: those of this machine, until they are moved. */
export class Clocks {
  readonly #path: string;
  #movedMs = 0;

  constructor(folder: string) {
    this.#path = join(folder, 'clocks.json');
    this.#write();
  }

  /** The environment of a program that reads them. */
  get env(): Readonly<Record<string, string>> {
    const preload = pathToFileURL(join(import.meta.dirname, 'preload.js')).href;
    return {
      NODE_OPTIONS: `--import ${preload}`,
      NODE_EXTRA_CA_CERTS: TEST_TLS.certPath,
      HELIOGRAPH_LIVE_CLOCK: this.#path,
    };
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#movedMs;
  }

  /**
   * Lets time pass that the run does not wait for: the wall clock and the one that counts since the start of the machine
   * move together, so that no program sees a clock that was set.
   */
  pass(ms: number): void {
    this.#movedMs += ms;
    this.#write();
  }

  #write(): void {
    // Programs must never read half of it.
    writeFileSync(`${this.#path}.new`, `${this.#movedMs}`);
    renameSync(`${this.#path}.new`, this.#path);
  }
}
