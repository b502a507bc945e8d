import { NotificationSecrets } from './alerting/notifications/secrets.ts';
import type { NotificationPlatform } from './alerting/notifications/settings.ts';
import { notificationWorks } from './alerting/notifications/works.ts';
import { WebhookSecrets } from './alerting/webhooks/secrets.ts';
import type { WebhookPlatform } from './alerting/webhooks/webhooks.ts';
import { webhookWorks } from './alerting/webhooks/works.ts';
import { SERVICE_NAME } from './common/config/env.ts';
import { UnsubscribeTokens } from './common/secrets/unsubscribe-token.ts';
import { DueWork } from './delivery/due-work.ts';
import type { MailService } from './delivery/mail/service.ts';
import type { ActivationPlatform } from './devices/activation/requests.ts';
import type { ProxyPlatform } from './devices/platform.ts';
import { ConnectSources } from './devices/proxies/connect-sources.ts';
import { ProxyService } from './devices/proxies/service.ts';
import { SignInFailures } from './identity/accounts/sign-in-failures.ts';
import { LastUsed, storeUses } from './identity/tokens/last-used.ts';
import type { AgentPlatform } from './mcp/server.ts';
import type { ConsentPlatform } from './oauth/consent/consent.ts';
import { OAuthServer } from './oauth/server.ts';
import type { ServerPlatform } from './platform.ts';
import type { PortalPlatform } from './portal/platform.ts';
import { delegationWorks } from './privacy/delegations/works.ts';
import { ArchiveMaker } from './privacy/exports/archives.ts';
import type { ExportPlatform } from './privacy/exports/exports.ts';
import type { PayingPlatform } from './shop/payments/online.ts';
import type { PaymentProvider } from './shop/payments/provider.ts';
import { CatalogueFiles } from './shop/products/catalogue-files.ts';
import type { CataloguePlatform } from './shop/products/catalogues.ts';
import { isShopOpen } from './shop/products/shops.ts';
import { SigningKeys } from './signing-keys/signing-keys.ts';
import { transferWorks } from './sites/members/transfer-works.ts';
import { SiteProber } from './sites/sites/reachability.ts';
import { registerSite } from './sites/sites/registration.ts';
import { WordFrequencies } from './sites/sites/word-frequencies.ts';

/** Ground of every use case of the server: what lives as long as its process. */
export interface CloudPlatform
  extends ActivationPlatform,
    AgentPlatform,
    CataloguePlatform,
    ConsentPlatform,
    ExportPlatform,
    NotificationPlatform,
    PayingPlatform,
    PortalPlatform,
    ProxyPlatform,
    WebhookPlatform {}

export interface CloudPlatformOptions extends Omit<ServerPlatform, 'keys' | 'mail'> {
  readonly mail: MailService;
  readonly paymentProvider: PaymentProvider | undefined;
}

export function createPlatform(options: CloudPlatformOptions): CloudPlatform {
  const { db, config, clock, logger, mail } = options;
  const { secret } = config;
  const ground: AgentPlatform = {
    ...options,
    keys: new SigningKeys({ db, secret, rotationDays: config.keyRotationDays, clock, logger }),
    lastUsed: new LastUsed((uses, at) => storeUses(db, uses, at), clock, logger),
    signInFailures: new SignInFailures(db, clock, logger),
    proxies: new ProxyService(db, clock),
    wordFrequencies: new WordFrequencies(db, clock),
    prober: new SiteProber(clock),
  };
  return {
    ...ground,
    paymentProvider: options.paymentProvider,
    archives: new ArchiveMaker(ground),
    catalogueFiles: new CatalogueFiles(),
    connectSources: new ConnectSources(db, logger),
    hasMailbox: mail.mailbox !== undefined,
    hasShop: (caller, host) => isShopOpen(ground, caller, host),
    notificationSecrets: new NotificationSecrets(db, secret),
    oauth: new OAuthServer(ground),
    registerSite: (caller, body) => registerSite(ground, caller, { body }),
    unsubscribeTokens: new UnsubscribeTokens(secret),
    webhookSecrets: new WebhookSecrets(secret),
  };
}

/** @param lookIntervalMs how often work that is due is looked for */
export function createDueWork(
  platform: CloudPlatform,
  mail: MailService,
  lookIntervalMs: number | undefined,
): DueWork {
  const { db, clock, logger, internet: fetch, cloudUrl, notificationSecrets, webhookSecrets } = platform;
  const brand = SERVICE_NAME;
  return new DueWork({
    ...{ db, clock, logger, lookIntervalMs },
    works: [
      ...mail.works(),
      ...notificationWorks({ db, mail, fetch, secrets: notificationSecrets, cloudUrl, brand, clock, logger }),
      ...delegationWorks(platform),
      ...transferWorks(platform),
      ...webhookWorks({ db, fetch, secrets: webhookSecrets, mail, clock, logger }),
    ],
  });
}
