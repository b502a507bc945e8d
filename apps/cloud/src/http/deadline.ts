import { Unavailable } from '../common/errors.ts';
import type { App } from './app-type.ts';

/** How long a request may wait for its answer, in milliseconds. */
const DEADLINE_MS = 12_000;
const RETRY_S = 2;

/**
 * Answers 503 when a request waits too long, as when the database is silent through several statements. What it
 * began may still end well: the caller looks before trying again.
 *
 * Fastify's own `handlerTimeout` is no help: it forgets a request as soon as its body has been read.
 */
export function enforceDeadline(app: App): void {
  app.addHook('onRequest', async (_request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(new Unavailable('Temporarily unavailable', RETRY_S));
    }, DEADLINE_MS);
    reply.raw.once('close', () => clearTimeout(timer));
  });
}
