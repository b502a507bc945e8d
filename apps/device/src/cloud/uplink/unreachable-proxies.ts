import type { Clock } from '@heliograph/kit';

/** How long a proxy is remembered as one that could not be reached, in milliseconds. */
const MEMORY_MS = 10 * 60_000;

/** As many as the cloud takes. */
const MAX_NAMES = 8;

/** Proxies that could not be reached just now, or whose tunnels do not last: reported to the cloud, which prefers others. */
export class UnreachableProxies {
  readonly #clock: Clock;
  /** When each was tried, the newest last. */
  readonly #tried = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get names(): string[] {
    const since = this.#clock.monotonic() - MEMORY_MS;
    return [...this.#tried].filter(([, tried]) => tried > since).map(([name]) => name);
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  add(name: string): void {
    this.#tried.delete(name);
    this.#tried.set(name, this.#clock.monotonic());
    const [oldest = ''] = this.#tried.keys();
    if (this.#tried.size > MAX_NAMES) this.#tried.delete(oldest);
  }

  delete(name: string): void {
    this.#tried.delete(name);
  }

  /** An unreachable proxy means nothing while not even the cloud is reached. */
  clear(): void {
    this.#tried.clear();
  }
}
