import type { Clock, Logger } from '@heliograph/kit';
import { SiteAccess } from './access/site-access.ts';
import type { CloudConfig } from './config/env.ts';
import type { Database } from './db/open.ts';
import { AttemptLimits } from './features/accounts/attempts.ts';
import { Confirmations } from './features/accounts/confirmations.ts';
import { PasswordLinks } from './features/accounts/password-links.ts';
import { PendingSignIns } from './features/accounts/pending-sign-ins.ts';
import { AccountRegistration } from './features/accounts/registration.ts';
import { AccountRepository } from './features/accounts/repository.ts';
import { SessionConfirmations } from './features/accounts/session-confirmations.ts';
import { Sessions } from './features/accounts/sessions.ts';
import { SignIn } from './features/accounts/sign-in.ts';
import { SignInFailures } from './features/accounts/sign-in-failures.ts';
import { ActivationCodeRepository } from './features/activation/code-repository.ts';
import { RequestRepository } from './features/activation/request-repository.ts';
import { ActivationCodeService, ActivationService } from './features/activation/service.ts';
import { ApplicationService } from './features/applications/service.ts';
import { AuditRepository } from './features/audit/repository.ts';
import { AuditService } from './features/audit/service.ts';
import { BotCheckRepository } from './features/bot-check/repository.ts';
import { BotCheckService, type Effort } from './features/bot-check/service.ts';
import { ConnectionService } from './features/connections/service.ts';
import { ConnectService } from './features/devices/connect.ts';
import { EnrolmentRepository } from './features/devices/enrolments.ts';
import { DeviceRepository } from './features/devices/repository.ts';
import { DeviceAccess, DeviceService } from './features/devices/service.ts';
import { GrantService } from './features/grants/service.ts';
import { IdentityRepository } from './features/identity/repository.ts';
import { IdentityService } from './features/identity/service.ts';
import { InvitationRepository } from './features/invitations/repository.ts';
import { InvitationService } from './features/invitations/service.ts';
import { KeyRepository } from './features/keys/repository.ts';
import { KeyService } from './features/keys/service.ts';
import type { MailService } from './features/mail/service.ts';
import { MemberRepository } from './features/members/repository.ts';
import { RevocationRepository } from './features/members/revocations.ts';
import { MemberService } from './features/members/service.ts';
import { OrganizationSiteRepository } from './features/organization-sites/repository.ts';
import { OrganizationSiteService } from './features/organization-sites/service.ts';
import { OrganizationService } from './features/organizations/service.ts';
import { ProxyAdministration } from './features/proxies/administration.ts';
import { AnnouncementService } from './features/proxies/announcements.ts';
import { ProxyAuthenticator } from './features/proxies/authenticator.ts';
import { ConnectSources } from './features/proxies/connect-sources.ts';
import { ProxyCredentialRepository } from './features/proxies/credential-repository.ts';
import { ProxyCredentialService } from './features/proxies/credentials.ts';
import { LocationService } from './features/proxies/locations.ts';
import { PresenceService } from './features/proxies/presence.ts';
import { PresenceRepository } from './features/proxies/presence-repository.ts';
import { ProxyRepository } from './features/proxies/repository.ts';
import { ProxyService } from './features/proxies/service.ts';
import { RelyingParties, SecondFactorService } from './features/second-factor/service.ts';
import { SiteCredentialIssuer } from './features/sites/credentials.ts';
import { SiteProber } from './features/sites/reachability.ts';
import { SiteRegistration } from './features/sites/registration.ts';
import { SiteRegistry } from './features/sites/registry.ts';
import { SiteRepository } from './features/sites/repository.ts';
import { SiteService } from './features/sites/service.ts';
import { WordFrequencies } from './features/sites/word-frequencies.ts';
import { LastUsed } from './features/tokens/last-used.ts';
import { OwnTokenService } from './features/tokens/own-tokens.ts';
import { OwnTokenRepository } from './features/tokens/own-tokens-repository.ts';
import { TokenRepository } from './features/tokens/repository.ts';
import { TokenService } from './features/tokens/service.ts';
import { UserRepository } from './features/users/repository.ts';
import { UserService } from './features/users/service.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { AgentDocuments } from './oauth/agents/documents.ts';
import { GuardedFetch, type GuardedFetchOptions } from './oauth/agents/guarded-fetch.ts';
import { AgentRegistration } from './oauth/agents/registration.ts';
import { ConsentService } from './oauth/consent/service.ts';
import { OAuthServer } from './oauth/server.ts';
import { PortalHome } from './portal/home.ts';
import { OwnPages } from './portal/own-pages.ts';
import { PortalSessions } from './portal/sessions.ts';
import type { Services } from './routes.ts';

/** What services are made of. */
export interface ServiceContext {
  readonly db: Database;
  readonly config: CloudConfig;
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly botCheckEffort: Effort | undefined;
  readonly internet: GuardedFetchOptions | undefined;
}

/** Every service of the API, each made of those before it. */
export function createServices(context: ServiceContext): Services {
  const { db, config, cloudUrl, clock, logger, mail, limits } = context;
  const tokenRecords = new TokenRepository(db);
  const tokens = new TokenService(tokenRecords, new LastUsed(tokenRecords, clock, logger), clock);
  const ownTokens = new OwnTokenService({ db, tokens: new OwnTokenRepository(db), mail, limits, clock });
  const { secret } = config;
  const botCheck = new BotCheckService(
    new BotCheckRepository(db),
    limits,
    { secret, required: config.botCheck, effort: context.botCheckEffort },
    clock,
  );
  const secondFactors = new SecondFactorService({ db, mail, limits, clock, secret });
  const invitations = new InvitationService(new InvitationRepository(db), mail, limits, clock);
  const organizations = new OrganizationService({ db, invitations, mail, clock, cloudUrl });
  const users = new UserService(db, new UserRepository(db), clock);
  const signInFailures = new SignInFailures(db, clock, logger);
  const accountRecords = new AccountRepository(db);
  const accountOptions = {
    ...{ db, mail, limits, botCheck, secondFactors, tokens, ownTokens, clock, cloudUrl },
    accounts: accountRecords,
    attempts: new AttemptLimits(limits),
    failures: signInFailures,
    isOrganizationOptional: config.confirmWithoutOrganization,
    teamInvitations: organizations.teamInvitations,
  };
  const pendingSignIns = new PendingSignIns(accountOptions);
  const sessions = new Sessions({ ...accountOptions, pendingSignIns });
  const sessionOptions = { ...accountOptions, pendingSignIns, sessions };
  const confirmations = new Confirmations(sessionOptions);
  const signIn = new SignIn({ ...sessionOptions, confirmations });
  const keys = new KeyService({
    repository: new KeyRepository(db),
    secret,
    rotationDays: config.keyRotationDays,
    clock,
    logger,
  });
  const proxyRecords = new ProxyRepository(db);
  const proxies = new ProxyService(proxyRecords, clock);
  const connectSources = new ConnectSources(proxyRecords, logger);
  const presence = new PresenceService(new PresenceRepository());
  const siteAccess = new SiteAccess(db);
  const siteRecords = new SiteRepository(db);
  const credentials = new SiteCredentialIssuer({ db, sites: siteRecords, tokens, keys, clock });
  const sites = new SiteService({
    sites: siteRecords,
    wordFrequencies: new WordFrequencies(db, clock),
    credentials,
    prober: new SiteProber(clock),
    proxies,
    clock,
  });
  const ownPages = new OwnPages({
    cloudUrl,
    isPortalHost: async (host) => (await organizations.findByHost(host)) !== undefined,
  });
  const connections = new ConnectionService(db, siteAccess, clock);
  const applications = new ApplicationService(db, organizations, connections, clock);
  const members = new MemberService(
    siteAccess,
    new MemberRepository(db, siteAccess),
    new RevocationRepository(db),
    invitations,
    mail,
    clock,
  );
  const registration = new SiteRegistration({
    sites: siteRecords,
    registry: new SiteRegistry(db),
    credentials,
    users,
    proxies,
    limits,
    clock,
  });
  const identity = new IdentityService({
    identities: new IdentityRepository(db),
    clients: applications,
    keys,
    cloudUrl,
    clock,
  });
  const grants = new GrantService({ db, secret, clock });
  const documents = new AgentDocuments({
    fetch: new GuardedFetch(() => new URL(cloudUrl()).hostname, context.internet),
    limits,
    clock,
    logger,
  });
  const oauth = new OAuthServer({
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
  const activateAtOnce = config.deviceActivation === 'automatic';
  const deviceRecords = new DeviceRepository(db);
  const devices = new DeviceService(db, deviceRecords, proxies, clock);
  const access = new DeviceAccess(deviceRecords, limits);
  const activationCodes = new ActivationCodeService(
    db,
    new ActivationCodeRepository(db),
    devices,
    access,
    clock,
  );
  return {
    accountRegistration: new AccountRegistration({ ...sessionOptions, confirmations }),
    confirmations,
    passwordLinks: new PasswordLinks(sessionOptions),
    pendingSignIns,
    sessionConfirmations: new SessionConfirmations(sessionOptions),
    sessions,
    signIn,
    signInFailures,
    botCheck,
    tokens,
    ownTokens,
    keys,
    members,
    audit: new AuditService(new AuditRepository(db), siteAccess),
    identity,
    oauth,
    agentRegistration: new AgentRegistration({ applications, limits, clock }),
    consents: new ConsentService({
      server: oauth,
      applications,
      grants,
      identity,
      organizations,
      sites,
      tokens,
      clock,
    }),
    ownPages,
    relyingParties: new RelyingParties({
      cloudUrl,
      isOwnOrigin: (origin, host) => ownPages.isOwn(origin, host),
    }),
    secondFactors,
    portalSessions: new PortalSessions({
      signIn,
      sessions,
      organizations,
      tokens,
      users,
      home: new PortalHome(organizations, config.portalOrganizationId),
      hasMailbox: mail.mailbox !== undefined,
      clock,
    }),
    users,
    sites,
    registration,
    organizations,
    applications,
    connections,
    organizationSites: new OrganizationSiteService(new OrganizationSiteRepository(db), siteAccess, clock),
    devices,
    deviceAccess: access,
    announcements: new AnnouncementService({
      db,
      proxies: proxyRecords,
      directory: proxies,
      presence,
      connectSources,
      clock,
    }),
    proxyAuthenticator: new ProxyAuthenticator(new ProxyCredentialRepository(db), limits, clock),
    proxyAdministration: new ProxyAdministration(
      db,
      proxyRecords,
      new ProxyCredentialService(db, clock),
      presence,
      clock,
    ),
    connectSources,
    locations: new LocationService(db, proxies, keys),
    connecting: new ConnectService({
      db,
      enrolments: new EnrolmentRepository(db),
      devices,
      proxies,
      members,
      keys,
      limits,
      clock,
      activateAtOnce,
      cloudUrl,
    }),
    activationCodes,
    activation: new ActivationService({
      db,
      requests: new RequestRepository(db),
      codes: activationCodes,
      devices,
      access,
      registrar: registration,
      users,
      limits,
      clock,
      activateAtOnce,
    }),
  };
}
