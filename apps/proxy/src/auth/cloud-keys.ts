import { Backoff, type Logger, reasonOf, wait } from '@heliograph/kit';
import { JwksKeys, type JwksKeysOptions } from '@heliograph/wire';
import { KeyFile } from './key-file.ts';

type KeySet = Awaited<ReturnType<JwksKeysOptions['fetch']>>;

const FETCH_TIMEOUT_MS = 5_000;
/** How soon an unknown key may be asked for again, in milliseconds. */
const MIN_INTERVAL_MS = 1_000;
/**
 * How often the cloud is asked whether the keys are still the same, in milliseconds: a withdrawn key must stop working
 * within ten seconds, of which the cloud itself takes two to notice. It mostly answers 304.
 */
const REFRESH_INTERVAL_MS = 3_000;

export interface CloudKeysOptions {
  /** Stores the keys for the next start. */
  readonly file?: string | undefined;
  readonly refreshIntervalMs?: number;
}

/** The cloud's public keys: fetched at start, again every few seconds, and when a token names an unknown one. */
export class CloudKeys {
  readonly keys: JwksKeys;
  readonly #url: string;
  readonly #logger: Logger;
  readonly #refreshIntervalMs: number;
  readonly #stopping = new AbortController();
  #fetched: boolean;
  #failing = false;
  #latest: { readonly etag: string; readonly keys: KeySet } | undefined;

  constructor(cloudUrl: string, logger: Logger, options: CloudKeysOptions = {}) {
    const { file, refreshIntervalMs = REFRESH_INTERVAL_MS } = options;
    const kept = file === undefined ? undefined : new KeyFile(file, logger);
    const initial = kept?.read();
    this.#url = `${cloudUrl}/.well-known/jwks.json`;
    this.#logger = logger;
    this.#refreshIntervalMs = refreshIntervalMs;
    this.#fetched = initial !== undefined;
    this.keys = new JwksKeys({
      initial,
      fetch: () => this.#fetch(),
      onFetched: (keys) => {
        this.#fetched = true;
        kept?.write(keys);
      },
      minIntervalMs: MIN_INTERVAL_MS,
    });
  }

  /** Whether the keys could be fetched once, by this process or one before that kept them. */
  get fetched(): boolean {
    return this.#fetched;
  }

  start(): void {
    void this.#refreshLoop(this.#stopping.signal);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #refreshLoop(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff({ minMs: 2 * MIN_INTERVAL_MS, maxMs: 5_000 });
    do {
      await this.keys.refresh();
      if (!this.#failing) backoff.reset();
    } while (await wait(this.#failing ? backoff.nextMs() : this.#refreshIntervalMs, signal));
  }

  async #fetch(): Promise<KeySet> {
    try {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
      const latest = this.#latest;
      const headers = latest === undefined ? {} : { 'if-none-match': latest.etag };
      const response = await fetch(this.#url, { signal, headers });
      const keys = latest !== undefined && response.status === 304 ? latest.keys : await keysIn(response);
      const etag = response.headers.get('etag');
      this.#latest = etag === null ? undefined : { etag, keys };
      if (this.#failing) this.#logger.info('fetching the keys works again');
      this.#failing = false;
      return keys;
    } catch (error) {
      if (!this.#failing && !this.#stopping.signal.aborted) {
        this.#logger.warn({ url: this.#url, reason: reasonOf(error) }, 'fetching the keys failed; retrying');
      }
      this.#failing = true;
      throw error;
    }
  }
}

async function keysIn(response: Response): Promise<KeySet> {
  if (response.ok) return (await response.json()) as KeySet;
  await response.body?.cancel();
  throw new Error(`the cloud answered ${response.status}`);
}
