import { EventFeed } from '../alerting/events/feed.ts';
import type { MailService } from '../delivery/mail/service.ts';
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
  readonly proxies: ProxyService;
  readonly shop: CataloguePlatform;
}

export function createDatabaseServices(options: Platform & { readonly mail: MailService }): DatabaseServices {
  const { db, cloudUrl, clock, logger, mail, limits, hashing } = options;
  const services: DatabaseServices = lazily<DatabaseServices>({
    platform: () => ({
      ...{ db, clock, logger, mail, limits, hashing, cloudUrl, proxies: services.proxies },
      wordFrequencies: new WordFrequencies(db, clock),
    }),
    archives: () => new ArchiveMaker(services.platform),
    events: () => new EventFeed(db, clock),
    proxies: () => new ProxyService(db, clock),
    shop: () => ({
      ...services.platform,
      catalogueFiles: new CatalogueFiles(),
    }),
  });
  return services;
}
