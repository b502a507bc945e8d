import type { Guards } from '@heliograph/http/api';
import { Forbidden } from '@heliograph/kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BEYOND_RECOVERY, type Caller, NO_CONFIGURATION, READ_ONLY } from '../../access/caller.ts';
import { type Credentials, credentialsOfHeader } from '../../access/credentials.ts';
import type { Guard } from '../../access/guard.ts';
import { recoveryAllows } from '../../access/recovery-policy.ts';
import { requireFirstRun } from './pages/first-run.ts';
import { requireOwnPage } from './pages/lan-only.ts';
import { originOf } from './pages/origin.ts';
import type { SessionCookie } from './pages/session-cookie.ts';

/**
 * Admits a request, before its body is read, and sets its caller. A refusal is Unauthorized, Forbidden or TooManyAttempts: it is thrown
 * for a caller that is known already, and `done` gets it for any other.
 */
export type Admit = (request: FastifyRequest, reply: unknown, done: (refusal?: Error) => void) => void;

/** @param requireMore throws for callers that may not do this */
export function admission(
  guard: Guard,
  cookie: SessionCookie,
  requireMore: (caller: Caller) => void = () => undefined,
): Admit {
  return (request, _reply, done) => {
    const admit = (caller: Caller): void => {
      request.setDecorator('caller', caller);
      requireMore(caller);
    };
    const credentials = credentialsOf(request, cookie);
    const origin = originOf(request.raw);
    const known = guard.admitKnown(credentials, origin);
    if (known === undefined)
      guard
        .admit(credentials, origin)
        .then(admit)
        .then(() => done(), done);
    else {
      admit(known);
      done();
    }
  };
}

/** Hooks that admit callers to the operations of a device. */
export function createGuards(app: FastifyInstance, guard: Guard, cookie: SessionCookie): Guards {
  app.decorateRequest('caller', null);
  const admit = admission(guard, cookie);
  const hooks: Readonly<Record<string, (operationId: string) => ReturnType<Guards['of']>>> = {
    read: () => admit,
    write: (operationId) =>
      admission(guard, cookie, ({ mayWrite, recovery }) => {
        requireWithin(recovery, operationId);
        if (recovery === null && !mayWrite) throw new Forbidden(READ_ONLY);
      }),
    configure: (operationId) =>
      admission(guard, cookie, ({ mayWrite, mayConfigure, recovery }) => {
        requireWithin(recovery, operationId);
        if (recovery === null && !mayConfigure) throw new Forbidden(mayWrite ? NO_CONFIGURATION : READ_ONLY);
      }),
    own_page: () => requireOwnPage,
    first_run: () => requireFirstRun,
  };
  return {
    of({ id, requires }) {
      if (requires === 'nothing') return undefined;
      const hook = typeof requires === 'string' ? hooks[requires]?.(id) : undefined;
      if (hook === undefined) throw new Error(`${id} is no operation of a device`);
      return hook;
    },
  };
}

/** @throws Forbidden for what a support recovery session does not allow */
function requireWithin(recovery: Caller['recovery'], operationId: string): void {
  if (recovery !== null && !recoveryAllows(recovery.access, operationId))
    throw new Forbidden(BEYOND_RECOVERY);
}

/** The caller of a guarded route. */
export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  return request.getDecorator<Caller>('caller');
}

/** The credentials of a request; a header outranks the cookie that a browser adds by itself. */
export function credentialsOf(
  { raw, headers, method }: FastifyRequest,
  cookie: SessionCookie,
): Credentials | undefined {
  const { via } = originOf(raw);
  return credentialsOfHeader(headers.authorization) ?? cookie.sessionOf({ headers, method, via });
}
