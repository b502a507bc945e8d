import { type Logger, messageOf, wait } from '@heliograph/kit';
import type { Database } from '../../db/open.ts';
import type { ProxyRecord } from './directory.ts';
import { selectProxies } from './rows.ts';

/** Longest delay until pages can connect to a proxy that announced itself to another process, in milliseconds. */
const REFRESH_MS = 10_000;

type Addresses = Pick<ProxyRecord, 'name' | 'host' | 'regionDomain'>;

/**
 * The sources for connections in the Content-Security-Policy of pages, besides the cloud itself: proxies, and the
 * sites below the domains of their regions. A few machines are named one by one, many by the domains above them, so
 * that the header fits into what reverse proxies accept at any number of machines.
 */
export class ConnectSources {
  readonly #db: Database;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #addresses: ReadonlyMap<string, Addresses> = new Map();
  #sources: readonly string[] = [];
  #refreshing: Promise<void> = Promise.resolve();

  constructor(db: Database, logger: Logger) {
    this.#db = db;
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
    this.#set((await selectProxies(this.#db)).filter(({ isTrusted }) => isTrusted));
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
    this.#sources = sourcesOf([...this.#addresses.values()]);
  }
}

/** Patterns of a policy; each is two sources, of about 35 bytes. */
const MAX_PATTERNS = 10;

/** A host that a policy can name: policies have no IPv6 addresses, and no character may end the directive. */
const HOST = /^[a-z0-9.-]+(?::\d{1,5})?$/i;

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|(?:.+\.)?localhost)(?::\d+)?$/i;

const IPV4 = /^\d+(?:\.\d+){3}(?::\d+)?$/;

/** @returns sources of a policy, sorted: at most two for each of `MAX_PATTERNS`, or schemes alone */
function sourcesOf(proxies: readonly Addresses[]): string[] {
  let patterns = withoutCovered(proxies.flatMap(patternsOf));
  for (let depth = deepest(patterns) - 1; patterns.length > MAX_PATTERNS && depth >= 2; depth -= 1) {
    patterns = mergedAt(depth, patterns);
  }
  const sources =
    patterns.length > MAX_PATTERNS
      ? // Unrelated names, such as bare addresses, have no domain in common.
        patterns.flatMap(schemesOf).map((scheme) => `${scheme}:`)
      : patterns.flatMap((pattern) => schemesOf(pattern).map((scheme) => `${scheme}://${pattern}`));
  return [...new Set(sources)].toSorted();
}

function patternsOf({ host, regionDomain }: Addresses): string[] {
  const [port = ''] = /:\d+$/.exec(host) ?? [];
  return [
    ...(HOST.test(host) ? [host] : []),
    ...(regionDomain !== null && HOST.test(regionDomain + port) ? [`*.${regionDomain}${port}`] : []),
  ];
}

/** Replaces patterns that share their last labels, `depth` of them, by one pattern of all names below these. */
function mergedAt(depth: number, patterns: readonly string[]): string[] {
  const groups = Map.groupBy(patterns, (pattern) => {
    const labels = labelsOf(pattern);
    return labels.length > depth ? `*.${labels.slice(-depth).join('.')}` : pattern;
  });
  return withoutCovered(
    [...groups].map(([parent, below]) => (below.length === 1 ? (below[0] ?? parent) : parent)),
  );
}

/** The labels of a name, of which the last has the port; an address is one label. */
function labelsOf(pattern: string): string[] {
  const name = pattern.replace(/^\*\./, '');
  return IPV4.test(name) ? [name] : name.split('.');
}

function deepest(patterns: readonly string[]): number {
  return Math.max(0, ...patterns.map((pattern) => labelsOf(pattern).length));
}

/** @returns each pattern once, without those that a pattern of all names below a domain includes */
function withoutCovered(patterns: readonly string[]): string[] {
  const distinct = new Set(patterns);
  return [...distinct].filter((pattern) => {
    const labels = labelsOf(pattern);
    return !labels.some((_, above) => above > 0 && distinct.has(`*.${labels.slice(above).join('.')}`));
  });
}

/** Proxies are reached without TLS only on the machine itself. */
function schemesOf(pattern: string): string[] {
  return LOOPBACK.test(pattern) ? ['http', 'ws'] : ['https', 'wss'];
}
