import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { AppError, Forbidden, ValidationError } from '@heliograph/kit';
import { isGuessable } from '@heliograph/kit/passwords';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Audit } from '../../../access/audit/audit.ts';
import type { DevicePassword } from '../../../access/device-password.ts';
import { NO_PASSWORD } from '../../../access/guard.ts';
import type { PageSessions } from '../../../access/page-sessions.ts';
import { complaintAboutPassword } from '../../../access/password-rule.ts';
import { callerOf } from '../guards.ts';
import { originOf } from './origin.ts';
import type { SessionCookie } from './session-cookie.ts';

export interface PasswordRouteOptions {
  readonly password: DevicePassword;
  readonly sessions: PageSessions;
  readonly cookie: SessionCookie;
  readonly audit: Audit;
}

/** The device password: the first one, and another one. Both sign the browser in, and every other browser out. */
export function passwordRoutes(api: Api, { password, sessions, cookie, audit }: PasswordRouteOptions): void {
  const signIn = (headers: FastifyRequest['headers'], reply: FastifyReply): void => {
    reply.header('set-cookie', cookie.signIn(sessions.begin(password.version), headers));
  };

  api.serve(deviceOperations.setFirstPassword, async ({ body, headers, raw }, reply) => {
    if (password.isSet) throw new Forbidden('This device has a password already');
    requireGood(body.password);
    if (!(await password.setFirst(body.password))) throw new TooLate();
    audit.record('password.set', actorOf(raw));
    signIn(headers, reply);
  });

  api.serve(deviceOperations.removePassword, async (request) => {
    const trace = audit.begin('password.remove', callerOf(request));
    password.remove();
    trace.end('ok');
  });

  api.serve(deviceOperations.changePassword, async ({ body, headers, raw }, reply) => {
    if (!password.isSet) throw new Forbidden(NO_PASSWORD);
    if (!(await password.matches(body.current, originOf(raw).address))) {
      throw new ValidationError({ current: ['is not the password of this device'] });
    }
    requireGood(body.password);
    await password.set(body.password);
    audit.record('password.change', actorOf(raw));
    signIn(headers, reply);
  });
}

class TooLate extends AppError {
  constructor() {
    super('Another person has just set a password', { code: 'password_is_set', status: 409 });
  }
}

/** The caller on the network of the home, who has the password or has just set one. */
function actorOf(raw: FastifyRequest['raw']): Actor {
  const { via, address } = originOf(raw);
  return { name: 'local', via, address };
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
