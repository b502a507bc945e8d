import { type Logger, messageOf, wait } from '@heliograph/kit';
import type { ProxyRecord } from './directory.ts';
import type { ProxyRepository } from './repository.ts';

/** Longest delay until pages can connect to a proxy that announced itself to another process, in milliseconds. */
const REFRESH_MS = 10_000;

type Addresses = Pick<ProxyRecord, 'name' | 'host' | 'regionDomain'>;

/**
 * The sources for connections in the Content-Security-Policy of pages, besides the cloud itself: every proxy, and the
 * sites below the domains of their regions.
 */
export class ConnectSources {
  readonly #proxies: ProxyRepository;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #addresses: ReadonlyMap<string, Addresses> = new Map();
  #sources: readonly string[] = [];
  #refreshing: Promise<void> = Promise.resolve();

  constructor(proxies: ProxyRepository, logger: Logger) {
    this.#proxies = proxies;
    this.#logger = logger;
  }

  /** From memory, as every page calls this. */
  list(): readonly string[] {
    return this.#sources;
  }

  /** Applies an announcement of a proxy to this process at once. */
  update(proxy: Addresses): void {
    const before = this.#addresses.get(proxy.name);
    if (before?.host === proxy.host && before.regionDomain === proxy.regionDomain) return;
    this.#set([...this.#addresses.values(), proxy]);
  }

  async load(): Promise<void> {
    this.#set((await this.#proxies.list()).filter(({ isTrusted }) => isTrusted));
  }

  start(): void {
    this.#refreshing = this.#refresh(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#refreshing;
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    let failing = false;
    while (await wait(REFRESH_MS, signal)) {
      try {
        await this.load();
        failing = false;
      } catch (error) {
        // The last sources stay in use while the database is unavailable.
        if (!failing)
          this.#logger.warn({ reason: messageOf(error) }, 'reading which proxies there are failed');
        failing = true;
      }
    }
  }

  /** @param proxies the last one of a name counts */
  #set(proxies: readonly Addresses[]): void {
    this.#addresses = new Map(proxies.map((proxy) => [proxy.name, proxy]));
    this.#sources = [...new Set([...this.#addresses.values()].flatMap(sourcesOf))].toSorted();
  }
}

/** A host that a policy can name: policies have no IPv6 addresses, and no character may end the directive. */
const HOST = /^[a-z0-9.-]+(?::\d{1,5})?$/i;

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|(?:.+\.)?localhost)(?::\d+)?$/i;

function sourcesOf({ host, regionDomain }: Addresses): string[] {
  const [port = ''] = /:\d+$/.exec(host) ?? [];
  const hosts = [host, ...(regionDomain === null ? [] : [regionDomain + port])];
  return hosts.flatMap((each, index) => {
    if (!HOST.test(each)) return [];
    // Proxies are reached without TLS only on the machine itself.
    const schemes = LOOPBACK.test(each) ? ['http', 'ws'] : ['https', 'wss'];
    const below = index === 0 ? '' : '*.';
    return schemes.map((scheme) => `${scheme}://${below}${each}`);
  });
}
