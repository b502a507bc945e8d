import type { ProxyAnnounceBody } from '@heliograph/contracts';
import { BadRequest, type Clock } from '@heliograph/kit';
import { ProxyDirectory, type ProxyRecord } from './directory.ts';
import type { ProxyRepository } from './repository.ts';

export type { Placement, ProxyDirectory } from './directory.ts';
export { siteHost } from './site-host.ts';

/** How old what a process knows of the proxies may be, in milliseconds. */
const DIRECTORY_AGE_LIMIT_MS = 1_000;

/** The region of sites that are registered before any proxy was ever seen. */
const DEFAULT_REGION = 'local';

export class ProxyService {
  readonly #proxies: ProxyRepository;
  readonly #clock: Clock;
  #known: { readonly sinceMs: number; readonly proxies: Promise<readonly ProxyRecord[]> } | undefined;

  constructor(proxies: ProxyRepository, clock: Clock) {
    this.#proxies = proxies;
    this.#clock = clock;
  }

  /** @throws BadRequest when clients or devices could not use the addresses */
  async announce(name: string, { host, url, region, sessions }: ProxyAnnounceBody): Promise<void> {
    if (!isHost(host)) throw new BadRequest('host must be a host name or address, with a port at most');
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new BadRequest('url must be an http or https URL');
    }
    const announcedAt = new Date(this.#clock.now());
    await this.#proxies.save({ name, region, host, url, sessionCount: sessions.length, announcedAt });
    this.#known = undefined;
  }

  /** The proxies as they were at most a second ago: nearly every request asks, and they change seldom. */
  async directory(): Promise<ProxyDirectory> {
    const nowMs = this.#clock.now();
    if (this.#known === undefined || nowMs - this.#known.sinceMs >= DIRECTORY_AGE_LIMIT_MS) {
      const known = { sinceMs: nowMs, proxies: this.#proxies.all() };
      this.#known = known;
      known.proxies.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return new ProxyDirectory(await this.#known.proxies, nowMs);
  }

  async regionForNewSites(): Promise<string> {
    const directory = await this.directory();
    return (directory.best() ?? directory.latest())?.region ?? DEFAULT_REGION;
  }
}

function isHost(text: string): boolean {
  return URL.canParse(`http://${text}`) && /^[^\s/?#@\\]+$/.test(text);
}
