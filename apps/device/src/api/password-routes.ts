import {
  DeviceFirstPasswordBody,
  DevicePasswordChangeBody,
  ErrorBody,
  ValidationErrorBody,
} from '@heliograph/contracts';
import { AppError, Forbidden, ValidationError } from '@heliograph/kit';
import { isGuessable } from '@heliograph/kit/passwords';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Audit } from '../audit/audit.ts';
import type { DevicePassword } from '../auth/device-password.ts';
import { NO_PASSWORD } from '../auth/guard.ts';
import type { PageSessions } from '../auth/page-sessions.ts';
import { complaintAboutPassword } from '../auth/password-rule.ts';
import { firstRunRefusal } from './first-run.ts';
import { requireOwnPage } from './lan-only.ts';
import { originOf } from './origin.ts';
import { sessionCookie } from './session-cookie.ts';

export interface PasswordRouteOptions {
  readonly password: DevicePassword;
  readonly sessions: PageSessions;
  readonly audit: Audit;
}

const PATH = '/api/v1/password';
const REFUSALS = { 422: ValidationErrorBody, '4xx': ErrorBody };

/** The device password: the first one, and another one. Both sign the browser in, and every other browser out. */
export function passwordRoutes(
  app: FastifyInstance,
  { password, sessions, audit }: PasswordRouteOptions,
): void {
  const signIn = async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const cookie = sessionCookie(sessions.begin(password.version), headers);
    await reply.code(204).header('set-cookie', cookie).send();
  };

  app.post<{ Body: DeviceFirstPasswordBody }>(
    PATH,
    { onRequest: requireFirstRun, schema: { body: DeviceFirstPasswordBody, response: REFUSALS } },
    async (request, reply): Promise<void> => {
      if (password.isSet) throw new Forbidden('This device has a password already');
      const { password: wanted } = request.body;
      requireGood(wanted);
      if (!(await password.setFirst(wanted))) throw new TooLate();
      audit.record('password.set', actorOf(request));
      await signIn(request, reply);
    },
  );

  app.put<{ Body: DevicePasswordChangeBody }>(
    PATH,
    { onRequest: requireOwnPage, schema: { body: DevicePasswordChangeBody, response: REFUSALS } },
    async (request, reply): Promise<void> => {
      const { current, password: wanted } = request.body;
      if (!password.isSet) throw new Forbidden(NO_PASSWORD);
      if (!(await password.matches(current, originOf(request.raw).address))) {
        throw new ValidationError({ current: ['is not the password of this device'] });
      }
      requireGood(wanted);
      await password.set(wanted);
      audit.record('password.change', actorOf(request));
      await signIn(request, reply);
    },
  );
}

class TooLate extends AppError {
  constructor() {
    super('Somebody else has just set a password', { code: 'password_is_set', status: 409 });
  }
}

/** The caller on the network of the home, who has the password or has just set one. */
function actorOf({ raw }: FastifyRequest): Actor {
  const { via, address } = originOf(raw);
  return { name: 'local', via, address };
}

/** @throws Forbidden */
async function requireFirstRun(request: FastifyRequest): Promise<void> {
  const { raw, method, headers } = request;
  if (originOf(raw).via === 'proxy') throw new Forbidden(NO_PASSWORD);
  const refusal = firstRunRefusal({ address: raw.socket.remoteAddress ?? '', method, headers });
  if (refusal !== undefined) throw new Forbidden(refusal);
}

/** Context words that a device's password must not be built from. */
const PASSWORD_CONTEXT = ['Heliograph', 'inverter', 'battery', 'solar'];

/** @throws ValidationError */
function requireGood(wanted: string): void {
  const complaint =
    complaintAboutPassword(wanted) ??
    (isGuessable(wanted, PASSWORD_CONTEXT) ? 'is too easy to guess' : undefined);
  if (complaint !== undefined) throw new ValidationError({ password: [complaint] });
}
