import { PresenceWatch } from '../alerting/alerts/presence-watch.ts';
import { NotificationSecrets } from '../alerting/notifications/secrets.ts';
import { NotificationService } from '../alerting/notifications/service.ts';
import { notificationWorks } from '../alerting/notifications/works.ts';
import { WebhookSecrets } from '../alerting/webhooks/secrets.ts';
import { WebhookService } from '../alerting/webhooks/service.ts';
import { webhookWorks } from '../alerting/webhooks/works.ts';
import { SERVICE_NAME } from '../common/config/env.ts';
import { UnsubscribeTokens } from '../common/secrets/unsubscribe-token.ts';
import { DueWork } from '../delivery/due-work.ts';
import type { MailService } from '../delivery/mail/service.ts';
import type { ActivationPlatform } from '../devices/activation/requests.ts';
import { ConnectService } from '../devices/devices/connect.ts';
import { DeviceDelegations } from '../devices/devices/delegations.ts';
import { EnrolmentRepository } from '../devices/devices/enrolment-repository.ts';
import { ProofAdmission } from '../devices/devices/proof-admission.ts';
import { ConnectSources } from '../devices/proxies/connect-sources.ts';
import { SignInFailures } from '../identity/accounts/sign-in-failures.ts';
import type { IdentityPlatform } from '../identity/platform.ts';
import { LastUsed, storeUses } from '../identity/tokens/last-used.ts';
import type { ConsentPlatform } from '../oauth/consent/consent.ts';
import { OAuthServer } from '../oauth/server.ts';
import type { ServerPlatform } from '../platform.ts';
import type { PortalPlatform } from '../portal/platform.ts';
import type { DelegationPlatform } from '../privacy/delegations/delegations.ts';
import { delegationWorks } from '../privacy/delegations/works.ts';
import type { PayingPlatform } from '../shop/payments/online.ts';
import type { PaymentProvider } from '../shop/payments/provider.ts';
import { isShopOpen } from '../shop/products/shops.ts';
import { SigningKeys } from '../signing-keys/signing-keys.ts';
import { transferWorks } from '../sites/members/transfer-works.ts';
import type { SitePlatform } from '../sites/platform.ts';
import { SiteProber } from '../sites/sites/reachability.ts';
import { registerSite } from '../sites/sites/registration.ts';
import { createDatabaseServices, type DatabaseServices } from './database-services.ts';
import { lazily } from './lazily.ts';

export interface ServicesOptions extends Omit<ServerPlatform, 'keys' | 'mail'> {
  readonly mail: MailService;
  readonly lookIntervalMs: number | undefined;
  readonly presenceIntervalMs: number | undefined;
  readonly paymentProvider: PaymentProvider | undefined;
}

/** Every service of the cloud. */
export interface Services extends Omit<DatabaseServices, 'platform' | 'shop'>, ServerServices {}

/** Services that need the cloud's secret or its configuration. */
interface ServerServices {
  readonly platform: IdentityPlatform;
  readonly activation: ActivationPlatform;
  readonly connecting: ConnectService;
  readonly proofAdmission: ProofAdmission;
  readonly notifications: NotificationService;
  readonly notificationSecrets: NotificationSecrets;
  readonly presenceWatch: PresenceWatch;
  readonly connectSources: ConnectSources;
  readonly delegations: DelegationPlatform;
  readonly consents: ConsentPlatform;
  readonly dueWork: DueWork;
  readonly keys: SigningKeys;
  readonly oauth: OAuthServer;
  readonly portal: PortalPlatform;
  readonly shop: DatabaseServices['shop'] & PayingPlatform;
  readonly sitePlatform: SitePlatform;
  readonly webhooks: WebhookService;
  readonly webhookSecrets: WebhookSecrets;
}

/** Makes no service before it is used, so that their order here is that of the alphabet. */
export function createServices(options: ServicesOptions): Services {
  const { db, config, internet, cloudUrl, clock, logger, mail, limits, hashing } = options;
  const { secret } = config;
  const activatesAutomatically = config.deviceActivation === 'automatic';
  const webhookSecrets = new WebhookSecrets(secret);
  const notificationSecrets = new NotificationSecrets(db, secret);
  const databaseServices = createDatabaseServices(options);
  const serverServices = lazily<ServerServices>({
    platform: () => {
      const lastUsed = new LastUsed((uses, at) => storeUses(db, uses, at), clock, logger);
      const signInFailures = new SignInFailures(db, clock, logger);
      const keys = new SigningKeys({ db, secret, rotationDays: config.keyRotationDays, clock, logger });
      return {
        ...{ db, clock, logger, mail, limits, hashing, cloudUrl, config, internet, keys },
        ...{ lastUsed, signInFailures },
      };
    },
    activation: () => ({
      ...services.sitePlatform,
      registerSite: (caller, body) => registerSite(services.sitePlatform, caller, { body }),
    }),
    connecting: () => {
      const { platform, proxies, keys } = services;
      return new ConnectService({
        db,
        enrolments: new EnrolmentRepository(db),
        proxies,
        platform,
        delegations: new DeviceDelegations({ db, mail, limits, clock }),
        keys,
        mail,
        limits,
        clock,
        activatesAutomatically,
        cloudUrl,
      });
    },
    proofAdmission: () => new ProofAdmission({ db, limits, clock, cloudUrl }),
    notifications: () =>
      new NotificationService({
        db,
        secrets: notificationSecrets,
        mail,
        unsubscribeTokens: new UnsubscribeTokens(secret),
        limits,
        clock,
      }),
    notificationSecrets: () => notificationSecrets,
    dueWork: () =>
      new DueWork({
        db,
        clock,
        logger,
        lookIntervalMs: options.lookIntervalMs,
        works: [
          ...mail.works(),
          ...notificationWorks({
            db,
            mail,
            fetch: internet,
            secrets: notificationSecrets,
            cloudUrl,
            brand: SERVICE_NAME,
            clock,
            logger,
          }),
          ...delegationWorks(services.platform),
          ...transferWorks(services.platform),
          ...webhookWorks({ db, fetch: internet, secrets: webhookSecrets, mail, clock, logger }),
        ],
      }),
    presenceWatch: () =>
      new PresenceWatch({
        db,
        proxies: services.proxies,
        clock,
        logger,
        intervalMs: options.presenceIntervalMs,
      }),
    connectSources: () => new ConnectSources(db, logger),
    delegations: () => ({
      ...services.platform,
      webhooks: services.webhooks,
      notifications: services.notifications,
    }),
    consents: () => {
      const { platform, oauth, proxies } = services;
      return { ...platform, oauth, proxies, wordFrequencies: databaseServices.platform.wordFrequencies };
    },
    keys: () => services.platform.keys,
    oauth: () => new OAuthServer(services.platform),
    portal: () => {
      const { platform } = services;
      return {
        ...platform,
        hasShop: (caller, host) => isShopOpen(platform, caller, host),
        hasMailbox: mail.mailbox !== undefined,
      };
    },
    shop: () => ({ ...databaseServices.shop, paymentProvider: options.paymentProvider }),
    sitePlatform: () => {
      const { platform, proxies } = services;
      const { wordFrequencies } = databaseServices.platform;
      return { ...platform, proxies, wordFrequencies, prober: new SiteProber(clock) };
    },
    webhooks: () =>
      new WebhookService({
        db,
        fetch: internet,
        secrets: webhookSecrets,
        mail,
        limits,
        clock,
      }),
    webhookSecrets: () => webhookSecrets,
  });
  // Copies the getters, which a spread would call.
  const services = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(databaseServices),
      ...Object.getOwnPropertyDescriptors(serverServices),
    },
  ) as Services;
  return services;
}
