import type { Logger } from '@heliograph/kit';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isOutage } from '../db/failures.ts';

/** When to come back after the database was out of reach, in seconds. */
const OUTAGE_RETRY_S = 2;

/**
 * Logs what the OAuth server could not do. What waits for the database is told to come back; what the server has made
 * of the failure itself, such as a redirect to the application, stands otherwise.
 */
export function answerFailure(ctx: KoaContextWithOIDC, error: unknown, logger: Logger): void {
  logger.error({ err: error, path: ctx.path }, 'the OAuth server failed');
  if (!isOutage(error) || ctx.status !== 500) return;
  ctx.status = 503;
  ctx.set('retry-after', String(OUTAGE_RETRY_S));
  if (ctx.type === 'application/json') {
    ctx.body = { error: 'temporarily_unavailable', error_description: 'Try again in a moment' };
  }
}
