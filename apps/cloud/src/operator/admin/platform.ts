import { type Clock, ConfigError, silentLogger, systemClock } from '@heliograph/kit';
import type { AdminConfig } from '../../common/config/env.ts';
import { RateLimits } from '../../common/limits/rate-limits.ts';
import { PasswordHashing } from '../../common/secrets/password-hashing.ts';
import { migrate, schemaState } from '../../db/migrate.ts';
import { type Database, openDatabase } from '../../db/open.ts';
import { MailService } from '../../delivery/mail/service.ts';
import { ProxyService } from '../../devices/proxies/service.ts';
import { CatalogueFiles } from '../../shop/products/catalogue-files.ts';
import type { CataloguePlatform } from '../../shop/products/catalogues.ts';
import type { SiteListPlatform } from '../../sites/platform.ts';
import { WordFrequencies } from '../../sites/sites/word-frequencies.ts';

/** The ground of use cases on the cloud's database, without a server. */
export interface AdminPlatform extends SiteListPlatform, CataloguePlatform, AsyncDisposable {}

/**
 * @param print receives a line when the tables were made
 * @throws ConfigError for a database of an older release
 */
export async function openAdminPlatform(
  config: AdminConfig,
  print: (line: string) => void,
  clock: Clock = systemClock,
): Promise<AdminPlatform> {
  const { db, limitsPool, close } = openDatabase(config.databaseUrl, () => undefined);
  try {
    await prepare(db, config.databaseUrl, print);
  } catch (error) {
    await close();
    throw error;
  }
  const logger = silentLogger;
  const cloudUrl = () => config.cloudUrl;
  const mail = new MailService({
    db,
    // The cloud sends the mails that are queued here, so that the way does not matter.
    mail: { kind: 'mailbox' },
    cloudUrl,
    clock,
    logger,
  });
  return {
    ...{ db, cloudUrl, clock, logger, mail },
    limits: new RateLimits(limitsPool),
    hashing: new PasswordHashing(),
    proxies: new ProxyService(db, clock),
    wordFrequencies: new WordFrequencies(db, clock),
    catalogueFiles: new CatalogueFiles(),
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}

async function prepare(db: Database, databaseUrl: string, print: (line: string) => void): Promise<void> {
  const state = await schemaState(db);
  if (state === 'outdated') {
    // A cloud of the older release may be running, which need not cope with newer tables.
    throw new ConfigError(
      'The database is of an older release: start the cloud once, which brings it up to date',
    );
  }
  if (state === 'current') return;
  await migrate(databaseUrl);
  print("The database was empty: made Heliograph's tables");
}
