import { type Clock, ConfigError, silentLogger, systemClock } from '@heliograph/kit';
import { SiteAccess } from '../access/site-access.ts';
import type { AdminConfig } from '../config/env.ts';
import { migrate, schemaState } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { AccountAdministration } from '../features/accounts/administration.ts';
import { ActivationCodeRepository } from '../features/activation/code-repository.ts';
import { ActivationCodeService } from '../features/activation/service.ts';
import { AuditRepository } from '../features/audit/repository.ts';
import { AuditService } from '../features/audit/service.ts';
import { DeviceRepository } from '../features/devices/repository.ts';
import { DeviceAccess, DeviceService } from '../features/devices/service.ts';
import { InvitationRepository } from '../features/invitations/repository.ts';
import { InvitationService } from '../features/invitations/service.ts';
import { KeyRepository } from '../features/keys/repository.ts';
import { KeyRotation } from '../features/keys/rotation.ts';
import { MailService } from '../features/mail/service.ts';
import { OrganizationService } from '../features/organizations/service.ts';
import { ProxyAdministration } from '../features/proxies/administration.ts';
import { ProxyCredentialService } from '../features/proxies/credentials.ts';
import { PresenceService } from '../features/proxies/presence.ts';
import { PresenceRepository } from '../features/proxies/presence-repository.ts';
import { ProxyRepository } from '../features/proxies/repository.ts';
import { ProxyService } from '../features/proxies/service.ts';
import { SecondFactorAdministration } from '../features/second-factor/administration.ts';
import { LastUsed } from '../features/tokens/last-used.ts';
import { OwnTokenService } from '../features/tokens/own-tokens.ts';
import { OwnTokenRepository } from '../features/tokens/own-tokens-repository.ts';
import { TokenRepository } from '../features/tokens/repository.ts';
import { TokenService } from '../features/tokens/service.ts';
import { UserRepository } from '../features/users/repository.ts';
import { UserService } from '../features/users/service.ts';
import { RateLimits } from '../limits/rate-limits.ts';

/** The cloud's own services on its database, without a server: what an operator works with. */
export interface Office extends AsyncDisposable {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: AccountAdministration;
  readonly secondFactors: SecondFactorAdministration;
  readonly users: UserService;
  readonly organizations: OrganizationService;
  readonly invitations: InvitationService;
  readonly devices: DeviceService;
  readonly proxies: ProxyAdministration;
  readonly proxyCredentials: ProxyCredentialService;
  readonly codes: ActivationCodeService;
  readonly tokens: OwnTokenService;
  readonly audit: AuditService;
  readonly keys: KeyRotation;
  /** To be called before anything that may mail. Mails are queued here, and sent by the cloud. */
  openMail(): Promise<void>;
}

/**
 * @param tell gets a line about what happens before the command itself
 * @throws ConfigError for a database that is not this release's
 */
export async function openOffice(config: AdminConfig, tell: (line: string) => void): Promise<Office> {
  const { db, pool, close } = openDatabase(config.databaseUrl, () => undefined);
  try {
    await prepare(db, config.databaseUrl, tell);
  } catch (error) {
    await close();
    throw error;
  }
  const clock = systemClock;
  const mail = new MailService({
    db,
    databaseUrl: config.databaseUrl,
    // Nothing is sent from here, so that it does not matter which way.
    mail: { kind: 'mailbox' },
    cloudUrl: () => config.cloudUrl,
    clock,
    logger: silentLogger,
  });
  let mailIsOpen = false;
  return {
    db,
    clock,
    ...servicesOf(db, { mail, limits: new RateLimits(pool), clock, cloudUrl: () => config.cloudUrl }),
    async openMail() {
      await mail.start();
      mailIsOpen = true;
    },
    async [Symbol.asyncDispose]() {
      if (mailIsOpen) await mail.stop();
      await close();
    },
  };
}

async function prepare(db: Database, databaseUrl: string, tell: (line: string) => void): Promise<void> {
  const state = await schemaState(db);
  if (state === 'outdated') {
    // A cloud of the older release may be running, which need not cope with newer tables.
    throw new ConfigError(
      'The database is of an older release: start the cloud once, which brings it up to date',
    );
  }
  if (state === 'current') return;
  await migrate(databaseUrl);
  tell("The database was empty: made Heliograph's tables");
}

interface Tools {
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly cloudUrl: () => string;
}

function servicesOf(db: Database, { mail, limits, clock, cloudUrl }: Tools) {
  const tokenRecords = new TokenRepository(db);
  const sessions = new TokenService(tokenRecords, new LastUsed(tokenRecords, clock, silentLogger), clock);
  const deviceRecords = new DeviceRepository(db);
  const proxyRecords = new ProxyRepository(db);
  const devices = new DeviceService(db, deviceRecords, new ProxyService(proxyRecords, clock), clock);
  const presence = new PresenceService(new PresenceRepository());
  const access = new DeviceAccess(deviceRecords, limits);
  const invitations = new InvitationService(new InvitationRepository(db), mail, limits, clock);
  const proxyCredentials = new ProxyCredentialService(db, clock);
  return {
    accounts: new AccountAdministration(db, sessions, mail, clock),
    secondFactors: new SecondFactorAdministration({ db, tokens: sessions, mail, clock }),
    users: new UserService(db, new UserRepository(db), clock),
    organizations: new OrganizationService({ db, invitations, mail, clock, cloudUrl }),
    invitations,
    devices,
    proxies: new ProxyAdministration(db, proxyRecords, proxyCredentials, presence, clock),
    proxyCredentials,
    codes: new ActivationCodeService(db, new ActivationCodeRepository(db), devices, access, clock),
    tokens: new OwnTokenService({ db, tokens: new OwnTokenRepository(db), mail, limits, clock }),
    audit: new AuditService(new AuditRepository(db), new SiteAccess(db)),
    keys: new KeyRotation(new KeyRepository(db), clock),
  };
}
