import { EventFeed } from '../alerting/events/feed.ts';
import type { MailService } from '../delivery/mail/service.ts';
import { ProxyAdministration } from '../devices/proxies/administration.ts';
import { ProxyCredentialService } from '../devices/proxies/credentials.ts';
import { PresenceService } from '../devices/proxies/presence.ts';
import { PresenceRepository } from '../devices/proxies/presence-repository.ts';
import { ProxyRepository } from '../devices/proxies/repository.ts';
import { ProxyService } from '../devices/proxies/service.ts';
import type { Platform } from '../platform.ts';
import { ArchiveMaker } from '../privacy/exports/archives.ts';
import { CatalogueFiles } from '../shop/products/catalogue-files.ts';
import type { CataloguePlatform } from '../shop/products/catalogues.ts';
import type { SiteListPlatform } from '../sites/platform.ts';
import { WordFrequencies } from '../sites/sites/word-frequencies.ts';
import { lazily } from './lazily.ts';

/** Services that need the database and neither the cloud's secret nor its configuration. */
export interface DatabaseServices {
  readonly platform: SiteListPlatform;
  readonly archives: ArchiveMaker;
  readonly events: EventFeed;
  readonly presence: PresenceService;
  readonly proxies: ProxyService;
  readonly proxyAdministration: ProxyAdministration;
  readonly proxyCredentials: ProxyCredentialService;
  readonly shop: CataloguePlatform;
}

export function createDatabaseServices(options: Platform & { readonly mail: MailService }): DatabaseServices {
  const { db, cloudUrl, clock, logger, mail, limits, hashing } = options;
  const proxyRecords = new ProxyRepository(db);
  const services: DatabaseServices = lazily<DatabaseServices>({
    platform: () => ({
      ...{ db, clock, logger, mail, limits, hashing, cloudUrl, proxies: services.proxies },
      wordFrequencies: new WordFrequencies(db, clock),
    }),
    archives: () => new ArchiveMaker(services.platform),
    events: () => new EventFeed(db, clock),
    presence: () => new PresenceService(new PresenceRepository()),
    proxies: () => new ProxyService(proxyRecords, clock),
    proxyAdministration: () =>
      new ProxyAdministration(db, proxyRecords, services.proxyCredentials, services.presence, clock),
    proxyCredentials: () => new ProxyCredentialService(db, clock),
    shop: () => ({
      ...services.platform,
      catalogueFiles: new CatalogueFiles(),
    }),
  });
  return services;
}
