import type { Logger } from '@heliograph/kit';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isOutage } from '../db/failures.ts';
import { errorPage } from './error-page.ts';

/** Retry-After while the database is out of reach, in seconds. */
const OUTAGE_RETRY_S = 2;

/**
 * Logs failures of the OAuth server. An outage of the database is answered with 503 and Retry-After; otherwise the
 * server's own answer to the failure remains, such as a redirect to the application.
 */
export function answerFailure(ctx: KoaContextWithOIDC, error: unknown, logger: Logger): void {
  // The path is left out, as it may contain the id that ties an authorization to its browser.
  logger.error({ err: error, route: ctx.oidc?.route }, 'the OAuth server failed');
  if (!isOutage(error) || ctx.status !== 500) return;
  ctx.status = 503;
  ctx.set('retry-after', String(OUTAGE_RETRY_S));
  if (ctx.type === 'application/json') {
    ctx.body = { error: 'temporarily_unavailable', error_description: 'Try again in a moment' };
  }
}

/** Answers failures outside the server's own steps, such as storing the browser's session after them. */
export function catchFailures(logger: Logger) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const out = { error: 'server_error', error_description: 'Something went wrong' };
      ctx.remove('location');
      ctx.status = 500;
      if (ctx.accepts('json', 'html') === 'html') await errorPage(ctx, out, asError(error));
      else ctx.body = out;
      answerFailure(ctx, error, logger);
    }
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
