import { SiteAccess } from '../access/site-access.ts';
import { EventFeed } from '../alerting/events/feed.ts';
import type { MailService } from '../delivery/mail/service.ts';
import { ActivationCodeRepository } from '../devices/activation/code-repository.ts';
import { ActivationCodeService } from '../devices/activation/service.ts';
import { DeviceRepository } from '../devices/devices/repository.ts';
import { DeviceAccess, DeviceService } from '../devices/devices/service.ts';
import { ProxyAdministration } from '../devices/proxies/administration.ts';
import { ProxyCredentialService } from '../devices/proxies/credentials.ts';
import { PresenceService } from '../devices/proxies/presence.ts';
import { PresenceRepository } from '../devices/proxies/presence-repository.ts';
import { ProxyRepository } from '../devices/proxies/repository.ts';
import { ProxyService } from '../devices/proxies/service.ts';
import type { Platform } from '../platform.ts';
import { ArchiveMaker } from '../privacy/exports/archives.ts';
import type { OrderPlatform } from '../shop/orders/lifecycle.ts';
import { CatalogueFiles } from '../shop/products/catalogue-files.ts';
import type { CataloguePlatform } from '../shop/products/catalogues.ts';
import type { SiteListPlatform } from '../sites/platform.ts';
import { WordFrequencies } from '../sites/sites/word-frequencies.ts';
import { lazily } from './lazily.ts';

/** Services that need the database and neither the cloud's secret nor its configuration. */
export interface DatabaseServices {
  readonly platform: SiteListPlatform;
  readonly activationCodes: ActivationCodeService;
  readonly archives: ArchiveMaker;
  readonly devices: DeviceService;
  readonly deviceAccess: DeviceAccess;
  readonly events: EventFeed;
  readonly presence: PresenceService;
  readonly proxies: ProxyService;
  readonly proxyAdministration: ProxyAdministration;
  readonly proxyCredentials: ProxyCredentialService;
  readonly shop: OrderPlatform & CataloguePlatform;
  readonly siteAccess: SiteAccess;
}

export function createDatabaseServices(options: Platform & { readonly mail: MailService }): DatabaseServices {
  const { db, cloudUrl, clock, logger, mail, limits, hashing } = options;
  const deviceRecords = new DeviceRepository(db);
  const proxyRecords = new ProxyRepository(db);
  const services: DatabaseServices = lazily<DatabaseServices>({
    platform: () => ({
      ...{ db, clock, logger, mail, limits, hashing, cloudUrl, proxies: services.proxies },
      wordFrequencies: new WordFrequencies(db, clock),
    }),
    activationCodes: () =>
      new ActivationCodeService(
        db,
        new ActivationCodeRepository(db),
        services.devices,
        services.deviceAccess,
        clock,
      ),
    archives: () => new ArchiveMaker(services.platform),
    devices: () => new DeviceService(db, deviceRecords, services.proxies, clock),
    deviceAccess: () => new DeviceAccess(deviceRecords, limits),
    events: () => new EventFeed(db, clock),
    presence: () => new PresenceService(new PresenceRepository()),
    proxies: () => new ProxyService(proxyRecords, clock),
    proxyAdministration: () =>
      new ProxyAdministration(db, proxyRecords, services.proxyCredentials, services.presence, clock),
    proxyCredentials: () => new ProxyCredentialService(db, clock),
    shop: () => ({
      ...services.platform,
      devices: services.devices,
      codes: services.activationCodes,
      catalogueFiles: new CatalogueFiles(),
    }),
    siteAccess: () => new SiteAccess(db),
  });
  return services;
}
