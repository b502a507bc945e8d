import type { AddressInfo } from 'node:net';
import {
  AddressList,
  type Clock,
  createLogger,
  type Logger,
  projectVersion,
  type Running,
  systemClock,
} from '@heliograph/kit';
import { RequestObserver, startSpanExport } from '@heliograph/telemetry';
import type { Pool } from 'pg';
import { PresenceWatch } from './alerting/alerts/presence-watch.ts';
import { createDueWork, createPlatform } from './cloud-platform.ts';
import type { CloudConfig } from './common/config/env.ts';
import { RateLimits } from './common/limits/rate-limits.ts';
import { GuardedFetch, type GuardedFetchOptions } from './common/outbound/guarded-fetch.ts';
import { type HashCost, PasswordHashing } from './common/secrets/password-hashing.ts';
import { UnsubscribeTokens } from './common/secrets/unsubscribe-token.ts';
import { ambiguousAccounts, canonicalizeEmails, queriesOf } from './db/canonical-emails.ts';
import { DatabaseDisk } from './db/database-disk.ts';
import { migrate } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { mailboxRoutes } from './delivery/mail/mailbox/routes.ts';
import { MailService } from './delivery/mail/service.ts';
import { createApp } from './http/app.ts';
import { publishContract } from './http/openapi.ts';
import type { Effort } from './identity/bot-check/challenges.ts';
import { resealAuthenticatorApps } from './identity/second-factor/reseal-apps.ts';
import { agentRoutes } from './mcp/routes.ts';
import { toolsOf } from './mcp/server.ts';
import { oauthAgentRoutes } from './oauth/agents/routes.ts';
import { ROUTES } from './oauth/configuration.ts';
import { consentRoutes } from './oauth/consent/routes.ts';
import { OAUTH_ENDPOINTS } from './oauth/endpoints.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { Housekeeping } from './operator/housekeeping/housekeeping.ts';
import { DatabaseFigures } from './operator/monitoring/database-figures.ts';
import { CloudMetrics } from './operator/monitoring/metrics.ts';
import { PublicCertificate } from './operator/monitoring/public-certificate.ts';
import { cloudReadiness } from './operator/monitoring/readiness.ts';
import { levelOfRequests } from './operator/monitoring/request-levels.ts';
import { monitoringRoutes } from './operator/monitoring/routes.ts';
import { findLogo } from './organizations/organizations/logos.ts';
import { portalApi, servedUrl } from './portal/api.ts';
import { portalHomeAt } from './portal/home.ts';
import { pageRoutes } from './portal/pages/routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { removeDueAccounts } from './privacy/account-deletion/removal.ts';
import { addRoutes } from './routes.ts';
import { cancelUnpaidOrders } from './shop/orders/orders.ts';
import { closeNeedlessCheckouts } from './shop/payments/online.ts';
import { StripeProvider } from './shop/payments/stripe.ts';
import { acceptByLink } from './sites/members/site-invitations.ts';
import { concludeSessions } from './support/recovery-sessions/conclusion.ts';
import { closeResolvedTickets } from './support/tickets/closing.ts';

export interface CloudFacts {
  /** Public URL. */
  readonly url: string;
}

/** Replacements in tests. */
export interface CloudOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly botCheckEffort?: Effort;
  /** Of passwords. */
  readonly hashCost?: HashCost;
  /** Source of agents' metadata documents. */
  readonly internet?: GuardedFetchOptions;
  /** How often work that is due is looked for, in milliseconds. */
  readonly lookIntervalMs?: number;
  /** How often sites that went offline are looked for, in milliseconds. */
  readonly presenceIntervalMs?: number;
  /** When expired rows are first looked for, in milliseconds after the start. */
  readonly housekeepingAfterMs?: number;
  readonly databaseOn?: (pool: Pool) => Database;
}

/** Migrates the database, then serves. */
export async function startCloud(
  config: CloudConfig,
  {
    clock = systemClock,
    logger = createLogger('cloud'),
    botCheckEffort,
    hashCost,
    internet,
    lookIntervalMs,
    presenceIntervalMs,
    housekeepingAfterMs,
    databaseOn,
  }: CloudOptions = {},
): Promise<Running<CloudFacts>> {
  const { db, pool, limitsPool, close } = openDatabase(
    config.databaseUrl,
    (error) => logger.warn({ err: error }, 'the database closed an idle connection'),
    undefined,
    databaseOn,
  );
  // Known once the server listens; not read before.
  let url = config.url ?? '';
  const spans = await startSpanExport(config.openTelemetry, logger);
  const certificate = new PublicCertificate(() => url, clock, logger);
  const disk = new DatabaseDisk(clock);
  const metrics = new CloudMetrics({
    pool,
    figures: new DatabaseFigures(db, () => clock.monotonic()),
    mails: () => mail.outcomes,
    certificate,
    clock,
  });
  const app = createApp({
    logger,
    observer: new RequestObserver({ logger, levelOf: levelOfRequests, metrics: metrics.requests, spans }),
    onOutage: (error) => disk.noteFailure(error),
    trustedProxies: config.trustedProxies,
    rewriteUrl: servedUrl,
  });
  const mail = new MailService({
    db,
    mail: config.mail,
    cloudUrl: () => url,
    unsubscribeTokens: new UnsubscribeTokens(config.secret),
    clock,
    logger,
  });
  try {
    const newerRelease = await migrate(config.databaseUrl);
    if (newerRelease !== undefined) {
      logger.warn(
        { release: newerRelease },
        'a newer release changed the database, and this one works with it',
      );
    }
    const { length: ambiguous } = await ambiguousAccounts(queriesOf(db));
    if (ambiguous > 0) {
      logger.warn(
        { accounts: ambiguous },
        'addresses of accounts are one with those of others: heliograph admin users doubles lists them',
      );
    }
    const limits = new RateLimits(limitsPool);
    const paymentProvider =
      config.stripe &&
      (await StripeProvider.start({ config: config.stripe, cloudUrl: () => url, clock, logger }));
    const platform = createPlatform({
      db,
      config,
      cloudUrl: () => url,
      clock,
      logger,
      mail,
      limits,
      hashing: new PasswordHashing(hashCost),
      internet: new GuardedFetch(() => new URL(url).hostname, internet),
      paymentProvider,
    });
    const { keys } = platform;
    const intervalMs = presenceIntervalMs;
    const presenceWatch = new PresenceWatch({ ...platform, intervalMs });
    const dueWork = createDueWork(platform, mail, lookIntervalMs);
    const reseal = async (): Promise<void> => {
      if (config.secret.accepted === undefined) return;
      const authenticatorApps = await resealAuthenticatorApps(db, config.secret);
      const webhooks = await platform.webhookSecrets.reseal(db);
      const notificationChannels = await platform.notificationSecrets.reseal();
      // The last: a process that starts with one secret alone reads all or, without the signing keys, does not start.
      const signingKeys = await keys.reseal();
      if (signingKeys + authenticatorApps + webhooks + notificationChannels === 0) return;
      const done = { signingKeys, authenticatorApps, webhooks, notificationChannels };
      logger.info(done, 'CLOUD_SECRET sealed what CLOUD_SECRET_ACCEPTED had sealed');
    };
    const housekeeping = new Housekeeping(db, clock, logger, [
      reseal,
      () => canonicalizeEmails(queriesOf(db)),
      () => cancelUnpaidOrders(platform),
      () => closeNeedlessCheckouts(platform),
      () => closeResolvedTickets(platform),
      () => removeDueAccounts(platform),
      () => platform.archives.run(),
      () => concludeSessions(platform),
    ]);
    await keys.start();
    await platform.connectSources.load();
    publishContract(app, () => url, { oauth: OAUTH_ENDPOINTS, tools: toolsOf(platform) });
    monitoringRoutes(app, {
      readiness: cloudReadiness({ db, disk, certificate, clock, logger }),
      metrics: () => metrics.text(),
      metricsFrom: new AddressList(config.metricsFrom),
    });
    portalApi(app, platform);
    addRoutes(app, platform, botCheckEffort);
    agentRoutes(app, platform);
    oauthRoutes(app, platform.oauth, () => url);
    oauthAgentRoutes(app, platform, ROUTES.registration);
    consentRoutes(app, platform);
    portalRoutes(app, platform, acceptByLink);
    pageRoutes(app, {
      isDevelopment: mail.mailbox !== undefined,
      connectSources: () => platform.connectSources.list(),
      webApp: {
        homeAt: async (host) => (await portalHomeAt(platform, host)).organization,
        findLogo: (id, digest) => findLogo(platform, id, digest),
        hasServiceWorker: config.serviceWorker,
      },
      imageSources: config.mapTiles === null ? [] : [new URL(config.mapTiles.url).origin],
    });
    if (mail.mailbox !== undefined) mailboxRoutes(app, mail.mailbox);
    await app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `the cloud ${projectVersion()} listens at ${address}`,
    });
    url ||= urlOf(app.server.address());
    housekeeping.start(housekeepingAfterMs);
    presenceWatch.start();
    // After the signing keys, which prove that the secret is that of the database.
    await dueWork.start();
    keys.follow();
    platform.connectSources.start();
    certificate.start();
    void metrics.watchProcess();
    return {
      facts: { url },
      async stop() {
        certificate.stop();
        await app.close();
        await platform.signInFailures.settle();
        await keys.stop();
        await platform.connectSources.stop();
        await housekeeping.stop();
        await presenceWatch.stop();
        await dueWork.stop();
        await platform.archives.settle();
        mail.stop();
        await close();
        await spans?.stop();
      },
    };
  } catch (error) {
    await app.close();
    mail.stop();
    await close();
    throw error;
  }
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
