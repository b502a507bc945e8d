import { BodyRefused } from '@heliograph/http/body-budget';
import { frameworkRefusal } from '@heliograph/http/framework-refusals';
import { AppError, type Logger, REQUEST_ID, ValidationError } from '@heliograph/kit';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { TooManyAttempts } from '../../access/caller.ts';
import { WriteFailure } from '../../settings/write-failure.ts';
import { OwnPageRefused } from './pages/lan-only.ts';
import { originOf } from './pages/origin.ts';

const REALM = 'Basic realm="Heliograph device", charset="UTF-8"';

/** Turns whatever a request ended with into an answer: the one place of the device that does. */
export function errorHandler(logger: Logger) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, message } = answerTo(error);
    if (status >= 500 && !hasGone(request))
      logger.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
    reply.header(REQUEST_ID, request.id);
    if (error instanceof TooManyAttempts || error instanceof BodyRefused)
      reply.header('retry-after', error.retryAfterS);
    if (status === 401 && isChallenged(request)) reply.header('www-authenticate', REALM);
    return reply.code(status).send(bodyOf(error, message));
  };
}

/**
 * Whether a refusal carries a challenge. Through the proxy no password opens anything; and requests for JSON alone, as the
 * device's own pages send, get none, since browsers would open a dialog of their own before the page gets the answer.
 */
function isChallenged({ raw, headers }: FastifyRequest): boolean {
  return originOf(raw).via === 'lan' && headers.accept !== 'application/json';
}

/** A client that leaves in the middle of its request is no failure of the device. */
function hasGone({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

function bodyOf(error: Error, message: string): object {
  if (error instanceof ValidationError) return { errors: error.errors };
  return {
    error: message,
    ...((error instanceof WriteFailure || error instanceof OwnPageRefused) && error.fields),
  };
}

/** The status and message that leave the house. */
export function answerTo(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof AppError) {
    return { status: error.status, message: error.expose ? error.message : 'Internal error' };
  }
  const { validationContext, message } = error as Partial<FastifyError>;
  if (validationContext !== undefined && message !== undefined) return { status: 400, message };
  return frameworkRefusal(error as Partial<FastifyError>) ?? { status: 500, message: 'Internal error' };
}
