import { DueWork } from '../background/due-work.ts';
import { type CloudConfig, SERVICE_NAME } from '../config/env.ts';
import { AttemptLimits } from '../features/accounts/attempts.ts';
import { Confirmations } from '../features/accounts/confirmations.ts';
import { EmailChangeRepository } from '../features/accounts/email-change-repository.ts';
import { EmailChanges } from '../features/accounts/email-changes.ts';
import { OwnPasswords } from '../features/accounts/own-passwords.ts';
import { PasswordLinks } from '../features/accounts/password-links.ts';
import { PendingSignIns } from '../features/accounts/pending-sign-ins.ts';
import { AccountRegistration } from '../features/accounts/registration.ts';
import { AccountRepository } from '../features/accounts/repository.ts';
import { SessionConfirmations } from '../features/accounts/session-confirmations.ts';
import { Sessions } from '../features/accounts/sessions.ts';
import { SignIn } from '../features/accounts/sign-in.ts';
import { SignInFailures } from '../features/accounts/sign-in-failures.ts';
import { RequestRepository } from '../features/activation/request-repository.ts';
import { ActivationService } from '../features/activation/service.ts';
import { ApplicationService } from '../features/applications/service.ts';
import { BotCheckRepository } from '../features/bot-check/repository.ts';
import { BotCheckService, type Effort } from '../features/bot-check/service.ts';
import { ConnectionService } from '../features/connections/service.ts';
import { DelegationService } from '../features/delegations/service.ts';
import { delegationWorks } from '../features/delegations/works.ts';
import { DeviceBackupService } from '../features/device-backups/service.ts';
import { ConnectService } from '../features/devices/connect.ts';
import { DeviceDelegations } from '../features/devices/delegations.ts';
import { EnrolmentRepository } from '../features/devices/enrolment-repository.ts';
import { ProofAdmission } from '../features/devices/service.ts';
import { GrantService } from '../features/grants/service.ts';
import { IdentityRepository } from '../features/identity/repository.ts';
import { IdentityService } from '../features/identity/service.ts';
import { KeyRepository } from '../features/keys/repository.ts';
import { KeyService } from '../features/keys/service.ts';
import { SiteInvitationRepository } from '../features/members/invitation-repository.ts';
import { MemberRepository } from '../features/members/repository.ts';
import { transferWorks } from '../features/members/transfer-works.ts';
import { storeAssignment } from '../features/notifications/intake.ts';
import { NotificationSecrets } from '../features/notifications/secrets.ts';
import { NotificationService } from '../features/notifications/service.ts';
import { notificationWorks } from '../features/notifications/works.ts';
import { PurchaseService } from '../features/orders/purchases.ts';
import { OrderRepository } from '../features/orders/repository.ts';
import { OrganizationSiteService } from '../features/organization-sites/service.ts';
import type { PaymentProvider } from '../features/payments/provider.ts';
import { PaymentService } from '../features/payments/service.ts';
import { ProductRepository } from '../features/products/repository.ts';
import { AnnouncementService } from '../features/proxies/announcements.ts';
import { ProxyAuthenticator } from '../features/proxies/authenticator.ts';
import { ConnectSources } from '../features/proxies/connect-sources.ts';
import { ProxyCredentialRepository } from '../features/proxies/credential-repository.ts';
import { LocationService } from '../features/proxies/locations.ts';
import { ProxyRepository } from '../features/proxies/repository.ts';
import { RelyingParties, SecondFactorService } from '../features/second-factor/service.ts';
import { PresenceWatch } from '../features/site-alerts/presence-watch.ts';
import { SiteAlertService } from '../features/site-alerts/service.ts';
import { AlertUploads } from '../features/site-alerts/upload.ts';
import { PostgresHistoryStore } from '../features/site-history/postgres-store.ts';
import { SiteHistoryService } from '../features/site-history/service.ts';
import { SiteChanges } from '../features/sites/changes.ts';
import { SiteCredentialIssuer } from '../features/sites/credentials.ts';
import { SiteMoving } from '../features/sites/moving.ts';
import { SiteProber } from '../features/sites/reachability.ts';
import { SiteRegistration } from '../features/sites/registration.ts';
import { SiteRegistry } from '../features/sites/registry.ts';
import { SiteReplacement } from '../features/sites/replacement.ts';
import { SiteRepository } from '../features/sites/repository.ts';
import { SiteService } from '../features/sites/service.ts';
import { WordFrequencies } from '../features/sites/word-frequencies.ts';
import { WebhookSecrets } from '../features/webhooks/secrets.ts';
import { WebhookService } from '../features/webhooks/service.ts';
import { webhookWorks } from '../features/webhooks/works.ts';
import { AgentDocuments } from '../oauth/agents/documents.ts';
import { AgentRegistration } from '../oauth/agents/registration.ts';
import { ConsentService } from '../oauth/consent/service.ts';
import { OAuthServer } from '../oauth/server.ts';
import { GuardedFetch, type GuardedFetchOptions } from '../outbound/guarded-fetch.ts';
import { PortalHome } from '../portal/home.ts';
import { OwnPages } from '../portal/own-pages.ts';
import { PortalSessions } from '../portal/sessions.ts';
import { UnsubscribeTokens } from '../secrets/unsubscribe-token.ts';
import {
  createDatabaseServices,
  type DatabaseServices,
  type DatabaseServicesOptions,
} from './database-services.ts';
import { lazily } from './lazily.ts';

export interface ServicesOptions extends DatabaseServicesOptions {
  readonly config: CloudConfig;
  readonly botCheckEffort: Effort | undefined;
  readonly internet: GuardedFetchOptions | undefined;
  readonly lookIntervalMs: number | undefined;
  readonly presenceIntervalMs: number | undefined;
  readonly paymentProvider: PaymentProvider | undefined;
}

/** Every service of the cloud. */
export interface Services extends DatabaseServices, ServerServices {}

/** Services that need the cloud's secret or its configuration. */
interface ServerServices {
  readonly accountRegistration: AccountRegistration;
  readonly activation: ActivationService;
  readonly agentRegistration: AgentRegistration;
  readonly announcements: AnnouncementService;
  readonly applications: ApplicationService;
  readonly botCheck: BotCheckService;
  readonly confirmations: Confirmations;
  readonly connecting: ConnectService;
  readonly deviceBackups: DeviceBackupService;
  readonly proofAdmission: ProofAdmission;
  readonly alertUploads: AlertUploads;
  readonly siteAlerts: SiteAlertService;
  readonly notifications: NotificationService;
  readonly notificationSecrets: NotificationSecrets;
  readonly presenceWatch: PresenceWatch;
  readonly siteHistory: SiteHistoryService;
  readonly connections: ConnectionService;
  readonly connectSources: ConnectSources;
  readonly delegations: DelegationService;
  readonly consents: ConsentService;
  readonly dueWork: DueWork;
  readonly emailChanges: EmailChanges;
  readonly grants: GrantService;
  readonly identity: IdentityService;
  readonly keys: KeyService;
  readonly locations: LocationService;
  readonly oauth: OAuthServer;
  readonly organizationSites: OrganizationSiteService;
  readonly ownPages: OwnPages;
  readonly passwordLinks: PasswordLinks;
  readonly payments: PaymentService;
  readonly pendingSignIns: PendingSignIns;
  readonly portalHome: PortalHome;
  readonly portalSessions: PortalSessions;
  readonly proxyAuthenticator: ProxyAuthenticator;
  readonly purchases: PurchaseService;
  readonly registration: SiteRegistration;
  readonly relyingParties: RelyingParties;
  readonly secondFactors: SecondFactorService;
  readonly sessionConfirmations: SessionConfirmations;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly signInFailures: SignInFailures;
  readonly siteChanges: SiteChanges;
  readonly siteCredentials: SiteCredentialIssuer;
  readonly siteMoving: SiteMoving;
  readonly siteReplacement: SiteReplacement;
  readonly sites: SiteService;
  readonly webhooks: WebhookService;
  readonly webhookSecrets: WebhookSecrets;
}

/** Makes no service before it is used, so that their order here is that of the alphabet. */
export function createServices(options: ServicesOptions): Services {
  const { db, config, cloudUrl, clock, logger, mail, limits, hashing } = options;
  const { secret } = config;
  const activateAtOnce = config.deviceActivation === 'automatic';
  const proxyRecords = new ProxyRepository(db);
  const siteRecords = new SiteRepository(db);
  const accountRecords = new AccountRepository(db);
  const attempts = new AttemptLimits(limits);
  const accountOptions = () => {
    const { botCheck, organizations, ownTokens, secondFactors, signInFailures, tokens } = services;
    return {
      ...{ db, mail, limits, hashing, clock, cloudUrl, attempts, botCheck, ownTokens, secondFactors, tokens },
      accounts: accountRecords,
      failures: signInFailures,
      ownPasswords: new OwnPasswords({ attempts, failures: signInFailures, limits, hashing }),
      isOrganizationOptional: config.confirmWithoutOrganization,
      teamInvitations: organizations.teamInvitations,
      siteInvitations: services.siteInvitations,
    };
  };
  const internet = new GuardedFetch(() => new URL(cloudUrl()).hostname, options.internet);
  const webhookSecrets = new WebhookSecrets(secret);
  const notificationSecrets = new NotificationSecrets(db, secret);
  const databaseServices = createDatabaseServices(options);
  const serverServices = lazily<ServerServices>({
    accountRegistration: () =>
      new AccountRegistration({ ...accountOptions(), confirmations: services.confirmations }),
    activation: () =>
      new ActivationService({
        db,
        requests: new RequestRepository(db),
        codes: services.activationCodes,
        devices: services.devices,
        access: services.deviceAccess,
        registrar: services.registration,
        users: services.users,
        limits,
        clock,
        activateAtOnce,
      }),
    agentRegistration: () => new AgentRegistration({ applications: services.applications, limits, clock }),
    announcements: () =>
      new AnnouncementService({
        db,
        proxies: proxyRecords,
        directory: services.proxies,
        presence: services.presence,
        connectSources: services.connectSources,
        clock,
      }),
    applications: () => new ApplicationService(db, services.organizations, services.connections, clock),
    botCheck: () =>
      new BotCheckService(
        new BotCheckRepository(db),
        limits,
        { secret, required: config.botCheck, effort: options.botCheckEffort },
        clock,
      ),
    confirmations: () => new Confirmations({ ...accountOptions(), sessions: services.sessions }),
    connecting: () => {
      const { devices, proxies, members, keys, recoveryParticipation } = services;
      return new ConnectService({
        db,
        enrolments: new EnrolmentRepository(db),
        devices,
        proxies,
        members,
        recovery: recoveryParticipation,
        delegations: new DeviceDelegations({ db, access: services.siteAccess, mail, limits, clock }),
        keys,
        mail,
        limits,
        clock,
        activateAtOnce,
        cloudUrl,
      });
    },
    deviceBackups: () => new DeviceBackupService({ db, access: services.siteAccess, limits, clock }),
    proofAdmission: () => new ProofAdmission({ db, limits, clock, cloudUrl }),
    alertUploads: () => new AlertUploads({ db, limits, clock }),
    siteAlerts: () =>
      new SiteAlertService({
        db,
        access: services.siteAccess,
        notifyAssignee: storeAssignment,
        clock,
      }),
    notifications: () =>
      new NotificationService({
        db,
        organizations: services.organizations,
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
          ...delegationWorks({ db, mail, clock }),
          ...transferWorks({
            db,
            members: new MemberRepository(db, services.siteAccess),
            pending: new SiteInvitationRepository(db),
            mail,
            clock,
          }),
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
    siteHistory: () =>
      new SiteHistoryService({
        db,
        access: services.siteAccess,
        store: new PostgresHistoryStore(db),
        limits,
        clock,
      }),
    connections: () => new ConnectionService(db, services.siteAccess, clock),
    connectSources: () => new ConnectSources(proxyRecords, logger),
    delegations: () =>
      new DelegationService({
        db,
        access: services.siteAccess,
        organizations: services.organizations,
        webhooks: services.webhooks,
        applications: services.applications,
        codes: services.activationCodes,
        shares: services.organizationSites,
        notifications: services.notifications,
        clock,
      }),
    consents: () => {
      const { oauth, applications, grants, identity, organizations, sites, tokens } = services;
      return new ConsentService({
        server: oauth,
        applications,
        grants,
        identity,
        organizations,
        sites,
        tokens,
        clock,
      });
    },
    emailChanges: () =>
      new EmailChanges({ ...accountOptions(), emailChanges: new EmailChangeRepository(db) }),
    grants: () => new GrantService({ db, secret, clock }),
    identity: () =>
      new IdentityService({
        identities: new IdentityRepository(db),
        clients: services.applications,
        keys: services.keys,
        cloudUrl,
        clock,
      }),
    keys: () =>
      new KeyService({
        repository: new KeyRepository(db),
        secret,
        rotationDays: config.keyRotationDays,
        clock,
        logger,
      }),
    locations: () => new LocationService(db, services.proxies, services.keys),
    oauth: () => {
      const { applications, connections, grants, identity, keys, tokens } = services;
      const documents = new AgentDocuments({
        fetch: internet,
        limits,
        clock,
        logger,
      });
      return new OAuthServer({
        applications,
        connections,
        documents,
        grants,
        identity,
        keys,
        limits,
        tokens,
        secret,
        cloudUrl,
        clock,
        logger,
      });
    },
    organizationSites: () => new OrganizationSiteService(db, services.siteAccess, mail, clock),
    ownPages: () => {
      const { organizations } = services;
      return new OwnPages({
        cloudUrl,
        isPortalHost: async (host) => (await organizations.findByHost(host)) !== undefined,
      });
    },
    passwordLinks: () => new PasswordLinks({ ...accountOptions(), sessions: services.sessions }),
    payments: () =>
      new PaymentService({
        db,
        orders: new OrderRepository(db),
        lifecycle: services.orderLifecycle,
        provider: options.paymentProvider,
        limits,
        clock,
        logger,
      }),
    pendingSignIns: () => new PendingSignIns(accountOptions()),
    portalHome: () => new PortalHome(services.organizations, config.portalOrganizationId),
    portalSessions: () => {
      const { signIn, sessions, organizations, tokens, users, shops, portalHome: home } = services;
      return new PortalSessions({
        signIn,
        sessions,
        organizations,
        tokens,
        users,
        home,
        hasShop: (caller, host) => shops.isOpen(caller, host),
        hasMailbox: mail.mailbox !== undefined,
        mapTiles: config.mapTiles,
        clock,
      });
    },
    proxyAuthenticator: () => new ProxyAuthenticator(new ProxyCredentialRepository(db), limits, clock),
    purchases: () =>
      new PurchaseService({
        db,
        orders: new OrderRepository(db),
        products: new ProductRepository(db),
        lifecycle: services.orderLifecycle,
        devices: services.devices,
        codes: services.activationCodes,
        payments: services.payments,
        limits,
        clock,
      }),
    registration: () =>
      new SiteRegistration({
        sites: siteRecords,
        registry: new SiteRegistry(db),
        credentials: services.siteCredentials,
        users: services.users,
        proxies: services.proxies,
        limits,
        clock,
      }),
    relyingParties: () => {
      const { ownPages } = services;
      return new RelyingParties({
        cloudUrl,
        isOwnOrigin: (origin, host) => ownPages.isOwn(origin, host),
        isOwnHost: (host) => ownPages.isOwnHost(host),
      });
    },
    secondFactors: () => new SecondFactorService({ db, mail, limits, clock, secret }),
    sessionConfirmations: () => new SessionConfirmations(accountOptions()),
    sessions: () => new Sessions({ ...accountOptions(), pendingSignIns: services.pendingSignIns }),
    signIn: () => {
      const { confirmations, pendingSignIns, sessions } = services;
      return new SignIn({ ...accountOptions(), confirmations, pendingSignIns, sessions });
    },
    signInFailures: () => new SignInFailures(db, clock, logger),
    siteChanges: () => {
      const { siteCredentials: credentials, proxies } = services;
      return new SiteChanges({ db, sites: siteRecords, credentials, proxies, clock });
    },
    siteCredentials: () => {
      const { tokens, keys, recoveryParticipation } = services;
      return new SiteCredentialIssuer({
        ...{ db, sites: siteRecords, tokens, keys, clock },
        recovery: recoveryParticipation,
      });
    },
    siteMoving: () => new SiteMoving({ db, access: services.siteAccess, mail, clock }),
    siteReplacement: () =>
      new SiteReplacement({
        db,
        sites: siteRecords,
        access: services.siteAccess,
        devices: services.devices,
        codes: services.activationCodes,
        proxies: services.proxies,
        mail,
        limits,
        clock,
        activateAtOnce,
      }),
    sites: () =>
      new SiteService({
        sites: siteRecords,
        wordFrequencies: new WordFrequencies(db, clock),
        credentials: services.siteCredentials,
        prober: new SiteProber(clock),
        proxies: services.proxies,
        clock,
      }),
    webhooks: () =>
      new WebhookService({
        db,
        organizations: services.organizations,
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
