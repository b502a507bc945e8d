import type { ProxyAnnounceBody } from '@heliograph/contracts';
import { BadRequest, type Clock } from '@heliograph/kit';
import { ProxyDirectory } from './directory.ts';
import type { ProxyRepository } from './repository.ts';

export type { Placement, ProxyDirectory } from './directory.ts';
export { siteHost } from './site-host.ts';

/** The region of sites that are registered before any proxy was ever seen. */
const DEFAULT_REGION = 'local';

export class ProxyService {
  readonly #proxies: ProxyRepository;
  readonly #clock: Clock;

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
  }

  async directory(): Promise<ProxyDirectory> {
    return new ProxyDirectory(await this.#proxies.all(), this.#clock.now());
  }

  async regionForNewSites(): Promise<string> {
    const directory = await this.directory();
    return (directory.best() ?? directory.latest())?.region ?? DEFAULT_REGION;
  }
}

function isHost(text: string): boolean {
  return URL.canParse(`http://${text}`) && /^[^\s/?#@\\]+$/.test(text);
}
