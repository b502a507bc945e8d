import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { RECOVERY_OPERATIONS } from '../auth/recovery-policy.ts';
import type { SupportSessions } from '../auth/support-sessions.ts';

/** Records what callers of support recovery sessions do, for the owner; settings are recorded by `recordedSettings`. */
export function recordRecoveryEvents(app: FastifyInstance, support: SupportSessions): void {
  app.addHook('onSend', async (request, reply) => {
    const author = request.getDecorator<Caller | null>('caller')?.recovery;
    const { operation } = request.routeOptions.config;
    if (author == null || operation === undefined || operation.id === 'setMetric') return;
    const found = Object.hasOwn(RECOVERY_OPERATIONS, operation.id)
      ? RECOVERY_OPERATIONS[operation.id]
      : undefined;
    if (found == null || found.event === null) return;
    const succeeded = reply.statusCode < 400;
    support.record(author, { kind: found.event, subject: subjectOf(request), succeeded });
  });
}

/** Longest subject, in characters. */
const MAX_LENGTH = 200;

/** The fields of a changed configuration, without their values, among which are secrets. */
function subjectOf({ body }: FastifyRequest): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = Object.keys(body).join(', ');
  return fields === '' ? null : fields.slice(0, MAX_LENGTH);
}
