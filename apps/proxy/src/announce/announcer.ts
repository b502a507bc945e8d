import type { ProxyAnnounceBody } from '@heliograph/contracts';
import { Backoff, type Logger, messageOf, wait } from '@heliograph/kit';

/** How often the proxy announces itself when nothing changes, in milliseconds. */
const INTERVAL_MS = 5_000;
/** How long a change waits for others to come along, in milliseconds. */
const COALESCE_MS = 50;
const REQUEST_TIMEOUT_MS = 4_000;
const FAREWELL_TIMEOUT_MS = 500;

export interface AnnouncerOptions {
  readonly cloudUrl: string;
  readonly name: string;
  readonly secret: string;
  readonly logger: Logger;
  /** What there is to say at the moment. */
  readonly body: () => ProxyAnnounceBody;
  readonly intervalMs?: number | undefined;
}

/** Tells the cloud where the proxy is and which devices it holds; traffic never waits for it. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #url: string;
  readonly #stopping = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failing = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#url = `${options.cloudUrl}/api/v1/proxies/${options.name}`;
  }

  start(): void {
    this.#running = this.#run(this.#stopping.signal);
  }

  /** A session came or went. */
  changed(): void {
    this.#wake.abort();
  }

  /** Ends the announcements with a last one, which a cloud out of reach may miss. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (!this.#failing) await this.#announce(AbortSignal.timeout(FAREWELL_TIMEOUT_MS));
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { intervalMs = INTERVAL_MS } = this.#options;
    const backoff = new Backoff({ minMs: 200, maxMs: intervalMs });
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      if (await this.#announce(AbortSignal.any([signal, timeout]))) {
        backoff.reset();
        await wait(intervalMs, AbortSignal.any([signal, this.#wake.signal]));
        await wait(COALESCE_MS, signal);
      } else {
        await wait(backoff.nextMs(), signal);
      }
    }
  }

  async #announce(signal: AbortSignal): Promise<boolean> {
    const { secret, body, logger } = this.#options;
    try {
      const response = await fetch(this.#url, {
        method: 'PUT',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body()),
        signal,
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the cloud answered ${response.status}`);
      if (this.#failing) logger.info('announcing to the cloud works again');
      this.#failing = false;
      return true;
    } catch (error) {
      if (this.#stopping.signal.aborted) return false;
      if (!this.#failing) {
        logger.warn({ url: this.#url, reason: messageOf(error) }, 'announcing to the cloud failed; retrying');
      }
      this.#failing = true;
      return false;
    }
  }
}
