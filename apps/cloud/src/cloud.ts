import type { AddressInfo } from 'node:net';
import { type Clock, createLogger, type Logger, type Running, systemClock } from '@heliograph/kit';
import { sql } from 'kysely';
import type { CloudConfig } from './config/env.ts';
import { migrate } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { AccountRepository } from './features/accounts/repository.ts';
import { AccountService } from './features/accounts/service.ts';
import { DeviceRepository } from './features/devices/repository.ts';
import { DeviceService } from './features/devices/service.ts';
import { KeyRepository } from './features/keys/repository.ts';
import { KeyService } from './features/keys/service.ts';
import { MailService } from './features/mail/service.ts';
import { ProxyRepository } from './features/proxies/repository.ts';
import { ProxyService } from './features/proxies/service.ts';
import { SiteRepository } from './features/sites/repository.ts';
import { SiteService } from './features/sites/service.ts';
import { TokenRepository } from './features/tokens/repository.ts';
import { TokenService } from './features/tokens/service.ts';
import { createApp } from './http/app.ts';
import { healthRoutes } from './http/health.ts';
import { addRoutes, type Services } from './http/routes.ts';
import { RateLimits } from './limits/rate-limits.ts';

export interface CloudFacts {
  /** Where clients and devices reach the cloud. */
  readonly url: string;
}

/** What tests put in place of the real thing. */
export interface CloudOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Migrates the database, then serves. */
export async function startCloud(
  config: CloudConfig,
  { clock = systemClock, logger = createLogger('cloud') }: CloudOptions = {},
): Promise<Running<CloudFacts>> {
  const { db, pool, close } = openDatabase(config.databaseUrl, (error) =>
    logger.warn({ err: error }, 'the database closed an idle connection'),
  );
  const app = createApp(logger, config.trustedProxies);
  // Known once the server listens; nothing asks before.
  let url = config.url ?? '';
  const mail = new MailService({
    db,
    databaseUrl: config.databaseUrl,
    mail: config.mail,
    cloudUrl: () => url,
    clock,
    logger,
  });
  try {
    await migrate(pool);
    const context = { db, config, cloudUrl: () => url, clock, mail, limits: new RateLimits(pool) };
    const services = createServices(context);
    await services.keys.start();
    await mail.start();
    healthRoutes(app, () => sql`select 1`.execute(db));
    addRoutes(app, services, config.proxySecret);
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    await mail.stop();
    await close();
    throw error;
  }
  url ||= urlOf(app.server.address());
  return {
    facts: { url },
    async stop() {
      await app.close();
      await mail.stop();
      await close();
    },
  };
}

/** What services are made of. */
interface Context {
  readonly db: Database;
  readonly config: CloudConfig;
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly mail: MailService;
  readonly limits: RateLimits;
}

function createServices({ db, config, cloudUrl, clock }: Context): Services {
  const tokens = new TokenService(new TokenRepository(db), clock);
  const accounts = new AccountService(new AccountRepository(db), tokens);
  const keys = new KeyService(new KeyRepository(db), config.secret, clock);
  const proxies = new ProxyService(new ProxyRepository(db), clock);
  const activateAtOnce = config.deviceActivation === 'automatic';
  return {
    accounts,
    tokens,
    keys,
    proxies,
    sites: new SiteService(new SiteRepository(db), accounts, proxies, keys),
    devices: new DeviceService(new DeviceRepository(db), proxies, keys, { activateAtOnce, cloudUrl }, clock),
  };
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
