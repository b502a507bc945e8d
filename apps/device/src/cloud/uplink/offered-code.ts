import type { RegistrationCode } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';

/** The code that registers this device while it is released; the cloud makes it when a person looks at the page about it. */
export class OfferedCode {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #code: string | undefined;
  /** On the monotonic clock in milliseconds, as are the others: the time of a device may be wrong. */
  #expiresAt = 0;
  #renewAt = 0;
  #isWanted = false;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Undefined without one that is valid. */
  get current(): RegistrationCode | undefined {
    const leftMs = this.#expiresAt - this.#clock.monotonic();
    if (this.#code === undefined || leftMs <= 0) return undefined;
    return { code: this.#code, expires_in_s: Math.ceil(leftMs / 1000) };
  }

  /** Whether the next call is to bring one: a person looks, and the one at hand would expire soon. */
  get isWanted(): boolean {
    return this.#isWanted && this.#clock.monotonic() >= this.#renewAt;
  }

  want(): void {
    this.#isWanted = true;
  }

  /** @param offered null for an answer without a code; undefined for one to a device that is not released */
  learn(offered: RegistrationCode | null | undefined): void {
    this.#isWanted = false;
    if (offered === null) return;
    this.#code = offered?.code;
    const now = this.#clock.monotonic();
    const lifetimeMs = (offered?.expires_in_s ?? 0) * 1000;
    this.#expiresAt = now + lifetimeMs;
    this.#renewAt = now + lifetimeMs / 2;
  }
}
