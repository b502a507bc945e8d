import type { Clock, Logger } from '@heliograph/kit';
import { SiteAccess } from '../access/site-access.ts';
import type { Database } from '../db/open.ts';
import { AccountRemoval } from '../features/account-deletion/removal.ts';
import { AccountDeletions } from '../features/account-deletion/service.ts';
import { AccountAdministration } from '../features/accounts/administration.ts';
import type { PasswordHashing } from '../features/accounts/password.ts';
import { ActivationCodeRepository } from '../features/activation/code-repository.ts';
import { ActivationCodeService } from '../features/activation/service.ts';
import { AuditRepository } from '../features/audit/repository.ts';
import { AuditService } from '../features/audit/service.ts';
import { DeviceRepository } from '../features/devices/repository.ts';
import { DeviceAccess, DeviceService } from '../features/devices/service.ts';
import { EventFeed } from '../features/events/feed.ts';
import { ExportService } from '../features/exports/service.ts';
import { InvitationRepository } from '../features/invitations/repository.ts';
import { InvitationService } from '../features/invitations/service.ts';
import { KeyRepository } from '../features/keys/repository.ts';
import { KeyRotation } from '../features/keys/rotation.ts';
import type { MailService } from '../features/mail/service.ts';
import { GivenAccess } from '../features/members/given-access.ts';
import { SiteInvitationRepository } from '../features/members/invitation-repository.ts';
import { MemberRepository } from '../features/members/repository.ts';
import { RevocationRepository } from '../features/members/revocation-repository.ts';
import { MemberService } from '../features/members/service.ts';
import { SiteInvitations } from '../features/members/site-invitations.ts';
import { OrderLifecycle } from '../features/orders/lifecycle.ts';
import { OrderRepository } from '../features/orders/repository.ts';
import { OrderService } from '../features/orders/service.ts';
import { OrganizationClosing } from '../features/organization-closing/service.ts';
import { OrganizationService } from '../features/organizations/service.ts';
import { ProductRepository } from '../features/products/repository.ts';
import { ProductService } from '../features/products/service.ts';
import { ShopService } from '../features/products/shops.ts';
import { ProxyAdministration } from '../features/proxies/administration.ts';
import { ProxyCredentialService } from '../features/proxies/credentials.ts';
import { PresenceService } from '../features/proxies/presence.ts';
import { PresenceRepository } from '../features/proxies/presence-repository.ts';
import { ProxyRepository } from '../features/proxies/repository.ts';
import { ProxyService } from '../features/proxies/service.ts';
import { RecoveryConclusion } from '../features/recovery-sessions/conclusion.ts';
import { RecoveryMails } from '../features/recovery-sessions/mails.ts';
import { RecoveryParticipation } from '../features/recovery-sessions/participation.ts';
import { RecoverySessionRepository } from '../features/recovery-sessions/repository.ts';
import { RecoverySessionService } from '../features/recovery-sessions/service.ts';
import { SecondFactorAdministration } from '../features/second-factor/administration.ts';
import { SiteReader } from '../features/sites/reader.ts';
import { SiteRelease } from '../features/sites/release.ts';
import { SiteRepository } from '../features/sites/repository.ts';
import { WordFrequencies } from '../features/sites/word-frequencies.ts';
import { AttachmentRepository } from '../features/tickets/attachment-repository.ts';
import { TicketClosing } from '../features/tickets/closing.ts';
import { Conversations } from '../features/tickets/conversations.ts';
import { TicketMails } from '../features/tickets/mails.ts';
import { MessageRepository } from '../features/tickets/message-repository.ts';
import { OwnTicketService } from '../features/tickets/own-tickets.ts';
import { TicketRepository } from '../features/tickets/repository.ts';
import { TicketService } from '../features/tickets/service.ts';
import { UploadService } from '../features/tickets/uploads.ts';
import { LastUsed } from '../features/tokens/last-used.ts';
import { OwnTokenService } from '../features/tokens/own-tokens.ts';
import { OwnTokenRepository } from '../features/tokens/own-tokens-repository.ts';
import { TokenRepository } from '../features/tokens/repository.ts';
import { TokenService } from '../features/tokens/service.ts';
import { UserRepository } from '../features/users/repository.ts';
import { UserService } from '../features/users/service.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { lazily } from './lazily.ts';

export interface DatabaseServicesOptions {
  readonly db: Database;
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly hashing: PasswordHashing;
}

/** Services that need the database and neither the cloud's secret nor its configuration. */
export interface DatabaseServices {
  readonly accountAdministration: AccountAdministration;
  readonly accountDeletions: AccountDeletions;
  readonly accountRemoval: AccountRemoval;
  readonly activationCodes: ActivationCodeService;
  readonly audit: AuditService;
  readonly devices: DeviceService;
  readonly deviceAccess: DeviceAccess;
  readonly events: EventFeed;
  readonly exports: ExportService;
  readonly invitations: InvitationService;
  readonly keyRotation: KeyRotation;
  readonly members: MemberService;
  readonly orderLifecycle: OrderLifecycle;
  readonly orders: OrderService;
  readonly organizationClosing: OrganizationClosing;
  readonly organizations: OrganizationService;
  readonly ownTickets: OwnTicketService;
  readonly ownTokens: OwnTokenService;
  readonly presence: PresenceService;
  readonly products: ProductService;
  readonly proxies: ProxyService;
  readonly proxyAdministration: ProxyAdministration;
  readonly proxyCredentials: ProxyCredentialService;
  readonly recoveryConclusion: RecoveryConclusion;
  readonly recoveryParticipation: RecoveryParticipation;
  readonly recoverySessions: RecoverySessionService;
  readonly secondFactorAdministration: SecondFactorAdministration;
  readonly shops: ShopService;
  readonly siteAccess: SiteAccess;
  readonly siteReader: SiteReader;
  readonly siteInvitations: SiteInvitations;
  readonly siteRelease: SiteRelease;
  readonly ticketClosing: TicketClosing;
  readonly tickets: TicketService;
  readonly tokens: TokenService;
  readonly uploads: UploadService;
  readonly users: UserService;
}

export function createDatabaseServices(options: DatabaseServicesOptions): DatabaseServices {
  const { db, cloudUrl, clock, logger, mail, limits, hashing } = options;
  const tokenRecords = new TokenRepository(db);
  const deviceRecords = new DeviceRepository(db);
  const orderRecords = new OrderRepository(db);
  const productRecords = new ProductRepository(db);
  const ticketRecords = new TicketRepository(db, clock);
  const attachments = new AttachmentRepository(db);
  const messages = new MessageRepository(db);
  const ticketMails = new TicketMails(mail, ticketRecords);
  const conversations = new Conversations({
    db,
    tickets: ticketRecords,
    messages,
    attachments,
    mails: ticketMails,
    limits,
    clock,
  });
  const recoveryRecords = new RecoverySessionRepository(db);
  const recoveryMails = new RecoveryMails(mail, recoveryRecords);
  const proxyRecords = new ProxyRepository(db);
  const siteInvitationRecords = new SiteInvitationRepository(db);
  const services: DatabaseServices = lazily<DatabaseServices>({
    accountAdministration: () =>
      new AccountAdministration(db, services.tokens, services.invitations, mail, hashing, clock),
    accountDeletions: () => new AccountDeletions({ db, mail, clock }),
    accountRemoval: () => new AccountRemoval(db, clock, logger),
    activationCodes: () =>
      new ActivationCodeService(
        db,
        new ActivationCodeRepository(db),
        services.devices,
        services.deviceAccess,
        clock,
      ),
    audit: () => new AuditService(new AuditRepository(db), services.siteAccess),
    devices: () => new DeviceService(db, deviceRecords, services.proxies, clock),
    deviceAccess: () => new DeviceAccess(deviceRecords, limits),
    events: () => new EventFeed(db, clock),
    exports: () => new ExportService({ db, access: services.siteAccess, mail, limits, clock, logger }),
    invitations: () => new InvitationService(new InvitationRepository(db), mail, limits, clock),
    keyRotation: () => new KeyRotation(new KeyRepository(db), clock),
    members: () =>
      new MemberService(
        services.siteAccess,
        new MemberRepository(db, services.siteAccess),
        siteInvitationRecords,
        new RevocationRepository(db),
        services.invitations,
        new GivenAccess(db, limits, mail),
        mail,
        clock,
      ),
    orderLifecycle: () =>
      new OrderLifecycle({
        orders: orderRecords,
        products: productRecords,
        devices: services.devices,
        codes: services.activationCodes,
        mail,
        clock,
      }),
    orders: () => new OrderService({ db, orders: orderRecords, lifecycle: services.orderLifecycle, clock }),
    organizationClosing: () => new OrganizationClosing({ db, tickets: services.ticketClosing, mail, clock }),
    organizations: () =>
      new OrganizationService({ db, invitations: services.invitations, mail, clock, cloudUrl }),
    ownTickets: () =>
      new OwnTicketService({
        db,
        tickets: ticketRecords,
        conversations,
        mails: ticketMails,
        access: services.siteAccess,
        organizationAt: async (host) => (await services.organizations.findByHost(host))?.id ?? null,
        limits,
        clock,
      }),
    ownTokens: () => new OwnTokenService({ db, tokens: new OwnTokenRepository(db), mail, limits, clock }),
    presence: () => new PresenceService(new PresenceRepository()),
    products: () => new ProductService(db, productRecords, clock),
    proxies: () => new ProxyService(proxyRecords, clock),
    proxyAdministration: () =>
      new ProxyAdministration(db, proxyRecords, services.proxyCredentials, services.presence, clock),
    proxyCredentials: () => new ProxyCredentialService(db, clock),
    recoveryConclusion: () => new RecoveryConclusion(db, recoveryRecords, recoveryMails, clock),
    recoveryParticipation: () => new RecoveryParticipation(db, recoveryRecords, recoveryMails, clock),
    recoverySessions: () =>
      new RecoverySessionService({
        db,
        sessions: recoveryRecords,
        mails: recoveryMails,
        access: services.siteAccess,
        limits,
        clock,
      }),
    secondFactorAdministration: () =>
      new SecondFactorAdministration({ db, tokens: services.tokens, mail, clock }),
    shops: () => new ShopService(services.products, productRecords, services.organizations, limits),
    siteAccess: () => new SiteAccess(db),
    siteReader: () =>
      new SiteReader({
        sites: new SiteRepository(db),
        wordFrequencies: new WordFrequencies(db, clock),
        proxies: services.proxies,
        clock,
      }),
    siteInvitations: () =>
      new SiteInvitations({
        members: new MemberRepository(db, services.siteAccess),
        pending: siteInvitationRecords,
        invitations: services.invitations,
        mail,
        clock,
      }),
    siteRelease: () => new SiteRelease({ db, access: services.siteAccess, mail, clock }),
    ticketClosing: () => new TicketClosing(db, ticketRecords, attachments, clock),
    tickets: () =>
      new TicketService({
        db,
        tickets: ticketRecords,
        conversations,
        messages,
        mails: ticketMails,
        access: services.siteAccess,
        clock,
      }),
    tokens: () => new TokenService(tokenRecords, new LastUsed(tokenRecords, clock, logger), clock),
    uploads: () => new UploadService(attachments, limits, clock),
    users: () => new UserService(db, new UserRepository(db), clock),
  });
  return services;
}
