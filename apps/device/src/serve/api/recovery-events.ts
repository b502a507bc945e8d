import type { RecoveryEventKind } from '@heliograph/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { RECOVERY_OPERATIONS } from '../../access/recovery-policy.ts';
import type { SupportSessions } from '../../access/support-sessions.ts';

/** Records what callers of support recovery sessions do, for the owner; settings are recorded by `recordedSettings`. */
export function recordRecoveryEvents(app: FastifyInstance, support: SupportSessions): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const author = request.getDecorator<Caller | null>('caller')?.recovery;
    const event = author == null ? null : eventOf(request);
    if (author != null && event !== null) {
      support.record(author, { kind: event, subject: subjectOf(request), succeeded: reply.statusCode < 400 });
    }
    done();
  });
}

/** @returns null for what is not recorded, or is by `recordedSettings` */
function eventOf({ routeOptions }: FastifyRequest): RecoveryEventKind | null {
  const { operation } = routeOptions.config;
  if (operation === undefined || operation.id === 'setMetric') return null;
  return Object.hasOwn(RECOVERY_OPERATIONS, operation.id)
    ? (RECOVERY_OPERATIONS[operation.id]?.event ?? null)
    : null;
}

/** Longest subject, in characters. */
const MAX_LENGTH = 200;

/** The fields of a changed configuration, without their values, among which are secrets. */
function subjectOf({ body }: FastifyRequest): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = Object.keys(body).join(', ');
  return fields === '' ? null : fields.slice(0, MAX_LENGTH);
}
