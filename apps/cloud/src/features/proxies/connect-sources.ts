import { type Logger, messageOf, wait } from '@heliograph/kit';
import type { ProxyRecord } from './directory.ts';
import type { ProxyRepository } from './repository.ts';

/** How soon a page may talk to a proxy that announced itself to another process of the cloud, in milliseconds. */
const REFRESH_MS = 10_000;

type Addresses = Pick<ProxyRecord, 'name' | 'host' | 'regionDomain'>;

/**
 * Where pages of the cloud may connect to besides the cloud itself: every proxy there is, and the sites below the domains
 * of their regions, as sources of a Content-Security-Policy.
 */
export class ConnectSources {
  readonly #proxies: ProxyRepository;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #known: ReadonlyMap<string, Addresses> = new Map();
  #sources: readonly string[] = [];
  #following: Promise<void> = Promise.resolve();

  constructor(proxies: ProxyRepository, logger: Logger) {
    this.#proxies = proxies;
    this.#logger = logger;
  }

  /** As known now: every page asks, and nothing is read for it. */
  list(): readonly string[] {
    return this.#sources;
  }

  /** What a proxy just announced is known here at once. */
  update(proxy: Addresses): void {
    const known = this.#known.get(proxy.name);
    if (known?.host === proxy.host && known.regionDomain === proxy.regionDomain) return;
    this.#know([...this.#known.values(), proxy]);
  }

  /** Reads which proxies there are that are trusted. */
  async load(): Promise<void> {
    this.#know((await this.#proxies.list()).filter(({ isTrusted }) => isTrusted));
  }

  /** Takes up, from now on, which proxies there are. */
  start(): void {
    this.#following = this.#follow(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let failing = false;
    while (await wait(REFRESH_MS, signal)) {
      try {
        await this.load();
        failing = false;
      } catch (error) {
        // What was known stays good for as long as the database is away.
        if (!failing)
          this.#logger.warn({ reason: messageOf(error) }, 'reading which proxies there are failed');
        failing = true;
      }
    }
  }

  /** @param proxies of one name the last counts */
  #know(proxies: readonly Addresses[]): void {
    this.#known = new Map(proxies.map((proxy) => [proxy.name, proxy]));
    this.#sources = [...new Set([...this.#known.values()].flatMap(sourcesOf))].toSorted();
  }
}

/** What a policy can name; it knows no IPv6 addresses, and nothing may stand there that ends the directive. */
const HOST = /^[a-z0-9.-]+(?::\d{1,5})?$/i;

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|(?:.+\.)?localhost)(?::\d+)?$/i;

function sourcesOf({ host, regionDomain }: Addresses): string[] {
  const [port = ''] = /:\d+$/.exec(host) ?? [];
  const hosts = [host, ...(regionDomain === null ? [] : [regionDomain + port])];
  return hosts.flatMap((each, index) => {
    if (!HOST.test(each)) return [];
    // Only on the machine itself, where nobody can listen in, proxies are reached without TLS.
    const schemes = LOOPBACK.test(each) ? ['http', 'ws'] : ['https', 'wss'];
    const below = index === 0 ? '' : '*.';
    return schemes.map((scheme) => `${scheme}://${below}${each}`);
  });
}
