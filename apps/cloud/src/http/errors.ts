import type {
  RegistrationCodeAnswer,
  SecondFactorAnswer,
  SignInAgainAnswer,
  UnconfirmedAnswer,
  UnknownPasskeyAnswer,
} from '@heliograph/contracts';
import type { OtherAccountAnswer } from '@heliograph/contracts/page-account';
import { BodyRefused } from '@heliograph/http/body-budget';
import { type FrameworkRefusal, frameworkRefusal } from '@heliograph/http/framework-refusals';
import { AppError, ValidationError } from '@heliograph/kit';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  EmailUnconfirmed,
  FreshSignInRequired,
  OtherAccountSignedIn,
  RegistrationCodeRequired,
  SecondFactorRequired,
  TooManyRequests,
  Unavailable,
  UnknownPasskey,
} from '../common/errors.ts';
import { isOutage } from '../db/failures.ts';
import type { App } from './app-type.ts';

/** Retry-After while the database is out of reach, in seconds. */
const OUTAGE_RETRY_S = 2;

/**
 * A body up to this length, in bytes, is read and dropped, so that the client receives its 413; a longer one closes
 * the connection.
 */
const DROPPED_BODY_LIMIT = 16 * 1024 * 1024;

/**
 * Turns every error into an answer.
 *
 * @param onOutage receives each error of the database that a request failed with
 */
export function handleErrors(app: App, onOutage: (error: unknown) => void): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (isOutage(error)) onOutage(error);
    return answer(error, request, reply);
  });
}

/** The answer to a path without a route. */
export function answerNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: 'Not found' });
}

function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ValidationError) return reply.code(422).send({ errors: error.errors });
  if (error instanceof EmailUnconfirmed) return reply.code(412).send(presentUnconfirmed(error));
  if (error instanceof SecondFactorRequired) return reply.code(412).send(presentSecondFactor(error));
  if (error instanceof FreshSignInRequired) return reply.code(403).send(presentSignInAgain(error));
  if (error instanceof OtherAccountSignedIn) return reply.code(409).send(presentOtherAccount(error));
  if (error instanceof RegistrationCodeRequired) return reply.code(422).send(presentCodeRequired(error));
  if (error instanceof UnknownPasskey) {
    reply.header('www-authenticate', 'Bearer');
    return reply.code(401).send(presentUnknownPasskey(error));
  }
  if (error instanceof AppError && error.expose) {
    if (error instanceof Unavailable || error instanceof TooManyRequests || error instanceof BodyRefused)
      reply.header('retry-after', error.retryAfterS);
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(error.status).send({ error: error.message });
  }
  // A malformed id names no record.
  if (error.validationContext === 'params') return answerNotFound(reply);
  if (error.validationContext !== undefined) return reply.code(400).send({ error: error.message });
  if (isOutage(error)) {
    const { method, routeOptions } = request;
    request.log.error({ err: error, method, route: routeOptions.url }, 'the database is out of reach');
    reply.header('retry-after', OUTAGE_RETRY_S);
    return reply.code(503).send({ error: 'Temporarily unavailable' });
  }
  if (isBrokenUpload(error, request)) {
    request.log.debug({ route: request.routeOptions.url }, 'the body broke off');
    return reply.code(400).send({ error: 'The body broke off' });
  }
  const refusal = frameworkRefusal(error);
  return refusal === undefined ? fail(error, request, reply) : refuse(refusal, request, reply);
}

/** The client disconnected during its upload, which is no error of the cloud. */
function isBrokenUpload({ code }: FastifyError, { raw }: FastifyRequest): boolean {
  return code === 'ECONNRESET' && raw.destroyed && !raw.complete;
}

function presentUnconfirmed({ message, pendingToken }: EmailUnconfirmed): UnconfirmedAnswer {
  return { error: message, next_step: 'click_email_link', pending_token: pendingToken };
}

function presentSecondFactor({
  message,
  pendingToken,
  methods,
  url,
}: SecondFactorRequired): SecondFactorAnswer {
  return {
    error: message,
    next_step: 'second_factor',
    pending_token: pendingToken,
    methods: [...methods],
    second_factor_url: url,
  };
}

function presentSignInAgain({ message }: FreshSignInRequired): SignInAgainAnswer {
  return { error: message, next_step: 'sign_in' };
}

function presentOtherAccount({ message }: OtherAccountSignedIn): OtherAccountAnswer {
  return { error: message, next_step: 'reload' };
}

function presentUnknownPasskey({ message }: UnknownPasskey): UnknownPasskeyAnswer {
  return { error: message, next_step: 'remove_passkey' };
}

function presentCodeRequired({ message }: RegistrationCodeRequired): RegistrationCodeAnswer {
  return { error: message, next_step: 'registration_code' };
}

function refuse(
  { status, message }: FrameworkRefusal,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (status === 413 && length <= DROPPED_BODY_LIMIT) reply.removeHeader('connection');
  return reply.code(status).send({ error: message });
}

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.error(
    { err: error, method: request.method, route: request.routeOptions.url },
    'request failed',
  );
  return reply.code(500).send({ error: 'Internal server error' });
}
