import type { SiteAuthorization } from '@heliograph/contracts';
import { wait } from '@heliograph/kit';
import WebSocket from 'ws';

/** Between two requests, and before a stream is opened again, in milliseconds. */
const PAUSE_MS = 100;

/** Ways to a device: its proxy, and its own address on the network of the home. */
export type Way = 'proxy' | 'lan';

/** How a site token fares on one way. */
interface Fate {
  /** Answers of the REST API since the last look, by status; `failed` without one. */
  statuses: Set<number | 'failed'>;
  reads: number;
  frames: number;
  /** Statuses that upgrades of the stream were refused with. */
  refusals: Set<number>;
}

/**
 * A program that never authorizes again: it keeps its site token for the seven days, looks at no body of a refusal, and
 * goes on reading and following the live stream on every way, whatever it is answered.
 */
export class LongRunningClient implements AsyncDisposable {
  readonly #ways: Readonly<Record<Way, string>>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stopping = new AbortController();
  readonly #fates: Record<Way, Fate> = { proxy: newFate(), lan: newFate() };
  readonly #running: Promise<unknown>;

  constructor({ host, token, site_id, site_key }: SiteAuthorization, deviceUrl: string) {
    this.#ways = { proxy: `http://${host}`, lan: deviceUrl };
    this.#headers = { authorization: `Bearer ${token}`, 'site-id': `${site_id}`, 'site-key': site_key };
    const ways = ['proxy', 'lan'] as const;
    this.#running = Promise.all(ways.flatMap((way) => [this.#read(way), this.#follow(way)]));
  }

  /** What became of it on both ways, since it began. */
  get fates(): Readonly<Record<Way, Readonly<Fate>>> {
    return this.#fates;
  }

  /** How often it was served, to see whether it still is. */
  get served(): Readonly<Record<Way, { readonly reads: number; readonly frames: number }>> {
    const { proxy, lan } = this.#fates;
    return {
      proxy: { reads: proxy.reads, frames: proxy.frames },
      lan: { reads: lan.reads, frames: lan.frames },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #read(way: Way): Promise<void> {
    const { signal } = this.#stopping;
    const fate = this.#fates[way];
    do {
      try {
        const url = `${this.#ways[way]}/api/v1/metrics?topic=total/*`;
        const answer = await fetch(url, { headers: this.#headers, signal: AbortSignal.any([signal]) });
        await answer.body?.cancel();
        fate.statuses.add(answer.status);
        if (answer.ok) fate.reads++;
      } catch {
        fate.statuses.add('failed');
      }
    } while (await wait(PAUSE_MS, signal));
  }

  async #follow(way: Way): Promise<void> {
    const { signal } = this.#stopping;
    do {
      const socket = new WebSocket(`${this.#ways[way].replace('http', 'ws')}/api/websocket?vsn=2.0.0`, {
        headers: this.#headers,
      });
      const stop = () => socket.terminate();
      signal.addEventListener('abort', stop);
      await this.#end(socket, this.#fates[way]);
      signal.removeEventListener('abort', stop);
    } while (await wait(PAUSE_MS, signal));
  }

  #end(socket: WebSocket, fate: Fate): Promise<void> {
    return new Promise((resolve) => {
      socket.on('open', () => socket.send('["1","1","metrics","phx_join",{"topics":[{"topic":"total/*"}]}]'));
      socket.on('message', () => {
        fate.frames++;
      });
      socket.on('unexpected-response', (request, { statusCode }) => {
        if (statusCode !== undefined) fate.refusals.add(statusCode);
        request.destroy();
        resolve();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  }
}

function newFate(): Fate {
  return { statuses: new Set(), reads: 0, frames: 0, refusals: new Set() };
}
