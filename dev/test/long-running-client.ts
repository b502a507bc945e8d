import type { SiteAuthorization } from '@heliograph/contracts';
import { wait } from '@heliograph/kit';
import WebSocket from 'ws';

/** Between two requests, and before a stream is opened again, in milliseconds. */
const PAUSE_MS = 100;

/** The two addresses of a device: at its proxy, and on the network of the home. */
export type Via = 'proxy' | 'lan';

/** Everything that happened to a site token at one address. */
interface Outcome {
  /** Statuses of the REST API's answers; `failed` without an answer. */
  statuses: Set<number | 'failed'>;
  reads: number;
  frames: number;
  /** Statuses that upgrades of the stream were refused with. */
  refusals: Set<number>;
}

/**
 * A program that never authorizes again: it uses one site token for its seven days, ignores the bodies of refusals, and
 * continues to read and to follow the live stream at both addresses, whatever the answers are.
 */
export class LongRunningClient implements AsyncDisposable {
  readonly #urls: Readonly<Record<Via, string>>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stopping = new AbortController();
  readonly #outcomes: Record<Via, Outcome> = { proxy: newOutcome(), lan: newOutcome() };
  readonly #running: Promise<unknown>;

  constructor({ host, token, site_id, site_key }: SiteAuthorization, deviceUrl: string) {
    this.#urls = { proxy: `http://${host}`, lan: deviceUrl };
    this.#headers = { authorization: `Bearer ${token}`, 'site-id': `${site_id}`, 'site-key': site_key };
    const vias = ['proxy', 'lan'] as const;
    this.#running = Promise.all(vias.flatMap((via) => [this.#read(via), this.#follow(via)]));
  }

  get outcomes(): Readonly<Record<Via, Readonly<Outcome>>> {
    return this.#outcomes;
  }

  /** Answers and frames so far; they rise as long as the client is served. */
  get served(): Readonly<Record<Via, { readonly reads: number; readonly frames: number }>> {
    const { proxy, lan } = this.#outcomes;
    return {
      proxy: { reads: proxy.reads, frames: proxy.frames },
      lan: { reads: lan.reads, frames: lan.frames },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #read(via: Via): Promise<void> {
    const { signal } = this.#stopping;
    const outcome = this.#outcomes[via];
    do {
      try {
        const url = `${this.#urls[via]}/api/v1/metrics?topic=total/*`;
        const answer = await fetch(url, { headers: this.#headers, signal: AbortSignal.any([signal]) });
        await answer.body?.cancel();
        outcome.statuses.add(answer.status);
        if (answer.ok) outcome.reads++;
      } catch {
        outcome.statuses.add('failed');
      }
    } while (await wait(PAUSE_MS, signal));
  }

  async #follow(via: Via): Promise<void> {
    const { signal } = this.#stopping;
    do {
      const socket = new WebSocket(`${this.#urls[via].replace('http', 'ws')}/api/websocket?vsn=2.0.0`, {
        headers: this.#headers,
      });
      const stop = () => socket.terminate();
      signal.addEventListener('abort', stop);
      await this.#end(socket, this.#outcomes[via]);
      signal.removeEventListener('abort', stop);
    } while (await wait(PAUSE_MS, signal));
  }

  #end(socket: WebSocket, outcome: Outcome): Promise<void> {
    return new Promise((resolve) => {
      socket.on('open', () => socket.send('["1","1","metrics","phx_join",{"topics":[{"topic":"total/*"}]}]'));
      socket.on('message', () => {
        outcome.frames++;
      });
      socket.on('unexpected-response', (request, { statusCode }) => {
        if (statusCode !== undefined) outcome.refusals.add(statusCode);
        request.destroy();
        resolve();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  }
}

function newOutcome(): Outcome {
  return { statuses: new Set(), reads: 0, frames: 0, refusals: new Set() };
}
