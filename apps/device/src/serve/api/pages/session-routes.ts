import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { AppError, type Clock, Forbidden, Unauthorized } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import type { Caller, RecoveryCaller } from '../../../access/caller.ts';
import type { DevicePassword } from '../../../access/device-password.ts';
import { type Guard, SupportEnded } from '../../../access/guard.ts';
import type { PageSessions } from '../../../access/page-sessions.ts';
import type { RegisteredSite } from '../../../access/registered-site.ts';
import type { StoreProblem } from '../../../storage/opening/open-store.ts';
import { credentialsOf } from '../guards.ts';
import { originOf } from './origin.ts';
import type { SessionCookie } from './session-cookie.ts';

export interface SessionRouteOptions {
  readonly guard: Guard;
  readonly password: DevicePassword;
  readonly sessions: PageSessions;
  readonly cookie: SessionCookie;
  readonly site: RegisteredSite;
  /** Null for a device without a cloud. */
  readonly cloudUrl: string | null;
  readonly storeProblem: StoreProblem | null;
  readonly clock: Clock;
}

/** Sign-in and sign-out of a browser on the network of the home. */
export function sessionRoutes(
  api: Api,
  { guard, password, sessions, cookie, site, cloudUrl, storeProblem, clock }: SessionRouteOptions,
): void {
  api.serve(deviceOperations.getSession, async (request) => {
    const admitted = await admit(request, guard, cookie);
    const caller = admitted instanceof AppError ? undefined : admitted;
    return {
      has_password: password.isSet,
      signed_in: caller !== undefined,
      may_write: caller?.mayWrite === true,
      may_configure: caller?.mayConfigure === true,
      via: originOf(request.raw).via,
      site_id: site.id,
      site_name: caller === undefined ? null : site.name,
      recovery: caller?.recovery ? recoveryIn(caller.recovery, clock.now()) : null,
      // Callers through the proxy learn nothing of the device's files.
      store_problem:
        storeProblem === null || originOf(request.raw).via === 'proxy' ? null : presentProblem(storeProblem),
      support_url:
        admitted instanceof SupportEnded && cloudUrl !== null ? `${cloudUrl}/sites/${site.id}/support` : null,
    };
  });

  api.serve(deviceOperations.signIn, async ({ body, headers, raw }, reply) => {
    // A password that is changed while this one is checked ends this session too.
    const { version } = password;
    if (!(await password.matches(body.password, originOf(raw).address))) {
      throw new Unauthorized('Wrong password');
    }
    reply.header('set-cookie', cookie.signIn(sessions.begin(version), headers));
  });

  api.serve(deviceOperations.signOut, async ({ headers }, reply) => {
    reply.header('set-cookie', cookie.signOut(headers));
    for (const token of cookie.tokensIn(headers.cookie)) sessions.end(token);
  });
}

function presentProblem({ fault, message, hasIdentity }: StoreProblem) {
  return { fault, message, has_identity: hasIdentity };
}

function recoveryIn({ sessionId, access, expiresAt }: RecoveryCaller, nowMs: number) {
  return { session_id: sessionId, access, expires_in: Math.floor((expiresAt - nowMs) / 1000) };
}

/** @returns the refusal of a caller that is not authorized. @throws TooManyAttempts */
async function admit(
  request: FastifyRequest,
  guard: Guard,
  cookie: SessionCookie,
): Promise<Caller | Unauthorized | Forbidden> {
  try {
    return await guard.admit(credentialsOf(request, cookie), originOf(request.raw));
  } catch (error) {
    if (error instanceof Unauthorized || error instanceof Forbidden) return error;
    throw error;
  }
}
