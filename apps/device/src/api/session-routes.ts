import { DeviceSession, DeviceSignInBody, ErrorBody } from '@heliograph/contracts';
import { Forbidden, Unauthorized } from '@heliograph/kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { DevicePassword } from '../auth/device-password.ts';
import type { Guard } from '../auth/guard.ts';
import type { PageSessions } from '../auth/page-sessions.ts';
import type { RegisteredSite } from '../auth/registered-site.ts';
import { credentialsOf } from './admission.ts';
import { requireOwnPage } from './lan-only.ts';
import { originOf } from './origin.ts';
import { forgetCookie, sessionCookie, tokenIn } from './session-cookie.ts';

export interface SessionRouteOptions {
  readonly guard: Guard;
  readonly password: DevicePassword;
  readonly sessions: PageSessions;
  readonly site: RegisteredSite;
}

const PATH = '/api/v1/session';

/** Sign-in and sign-out of a browser on the network of the home. */
export function sessionRoutes(
  app: FastifyInstance,
  { guard, password, sessions, site }: SessionRouteOptions,
): void {
  app.get(PATH, { schema: { response: { 200: DeviceSession } } }, async (request): Promise<DeviceSession> => {
    const caller = await callerOf(request, guard);
    return {
      has_password: password.isSet,
      signed_in: caller !== undefined,
      may_write: caller?.mayWrite === true,
      may_configure: caller?.mayConfigure === true,
      via: originOf(request.raw).via,
      site_id: site.id,
      site_name: caller === undefined ? null : site.name,
    };
  });

  app.post<{ Body: DeviceSignInBody }>(
    PATH,
    { onRequest: requireOwnPage, schema: { body: DeviceSignInBody, response: { '4xx': ErrorBody } } },
    async ({ body, headers, raw }, reply): Promise<void> => {
      // A password that is changed while this one is checked ends this session too.
      const { version } = password;
      if (!(await password.matches(body.password, originOf(raw).address))) {
        throw new Unauthorized('Wrong password');
      }
      await reply
        .code(204)
        .header('set-cookie', sessionCookie(sessions.begin(version), headers))
        .send();
    },
  );

  app.delete(PATH, { onRequest: requireOwnPage }, async ({ headers }, reply): Promise<void> => {
    const token = tokenIn(headers.cookie);
    if (token !== undefined) sessions.end(token);
    await reply.code(204).header('set-cookie', forgetCookie(headers)).send();
  });
}

/** Undefined for a caller that is not authorized. @throws TooManyAttempts */
async function callerOf(request: FastifyRequest, guard: Guard): Promise<Caller | undefined> {
  try {
    return await guard.admit(credentialsOf(request), originOf(request.raw));
  } catch (error) {
    if (error instanceof Unauthorized || error instanceof Forbidden) return undefined;
    throw error;
  }
}
