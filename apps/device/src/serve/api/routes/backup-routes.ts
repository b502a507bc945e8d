import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { AppError, BadRequest, Forbidden, ValidationError } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import type { Actor, Audit } from '../../../access/audit/audit.ts';
import { NO_CONFIGURATION } from '../../../access/caller.ts';
import type { DevicePassword } from '../../../access/device-password.ts';
import { type Guard, NO_PASSWORD } from '../../../access/guard.ts';
import type { StoreProblem } from '../../../storage/opening/open-store.ts';
import { FAULT_REASONS } from '../../../storage/opening/store-unusable.ts';
import { callerOf, credentialsOf } from '../guards.ts';
import { requireFirstRun } from '../pages/first-run.ts';
import { originOf } from '../pages/origin.ts';
import type { BackupOperations } from '../pages/page-operations.ts';
import type { SessionCookie } from '../pages/session-cookie.ts';

export interface BackupRouteOptions {
  readonly backups: BackupOperations;
  readonly guard: Guard;
  readonly cookie: SessionCookie;
  readonly password: DevicePassword;
  readonly audit: Audit;
  readonly storeProblem: StoreProblem | null;
}

/** A backup of a store in memory would lack all that the device has counted and its owner has chosen. */
class NothingToBackUp extends AppError {
  constructor({ fault }: StoreProblem) {
    super(
      `A backup cannot be made: ${FAULT_REASONS[fault]}. Open the page of this device on the network of the home`,
      { code: 'store_unusable', status: 503, expose: true },
    );
  }
}

/**
 * Backups, on the network of the home alone: through the proxy passphrases would pass by servers. Each needs the password
 * again, since a backup is the whole device; a device without a password is restored by who could set one.
 */
export function backupRoutes(
  api: Api,
  { backups, guard, cookie, password, audit, storeProblem }: BackupRouteOptions,
): void {
  /** @throws ValidationError, TooManyAttempts */
  const requirePassword = async (given: string, raw: FastifyRequest['raw']): Promise<void> => {
    if (await password.matches(given, originOf(raw).address)) return;
    throw new ValidationError({ password: ['is not the password of this device'] });
  };

  api.serve(deviceOperations.createBackup, async ({ body, raw }, reply) => {
    if (storeProblem !== null) throw new NothingToBackUp(storeProblem);
    if (!password.isSet) throw new Forbidden(NO_PASSWORD);
    await requirePassword(body.password, raw);
    const { passphrase, history = true } = body;
    const { fileName, content } = await backups.make({ passphrase, history });
    audit.record('backup.create', actorOf(raw));
    return reply
      .headers({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(content);
  });

  api.serve(deviceOperations.getCloudBackup, () => {
    const { enabled, storedAt, size, hasHistory, problem } = backups.cloud.state;
    const stored_at = storedAt === null ? null : new Date(storedAt).toISOString();
    return { enabled, stored_at, size, history: hasHistory, problem };
  });

  api.serve(deviceOperations.startCloudBackup, async ({ body, raw }) => {
    if (!password.isSet) throw new Forbidden(NO_PASSWORD);
    await requirePassword(body.password, raw);
    const code = await backups.cloud.enable();
    audit.record('backup.cloud', actorOf(raw), { subject: 'on' });
    return { recovery_code: code };
  });

  api.serve(deviceOperations.endCloudBackup, async (request) => {
    await backups.cloud.disable();
    audit.record('backup.cloud', callerOf(request), { subject: 'off' });
  });

  const admitRestore = async (request: FastifyRequest): Promise<void> => {
    if (!password.isSet) return requireFirstRun(request);
    const caller = await guard.admit(credentialsOf(request, cookie), originOf(request.raw));
    if (!caller.mayConfigure || caller.recovery !== null) throw new Forbidden(NO_CONFIGURATION);
  };

  api.serveBytes(
    deviceOperations.uploadRestorePart,
    async ({ query, body }) => {
      if (!Buffer.isBuffer(body) || body.length === 0) throw new BadRequest('Send a part of the backup');
      await backups.upload(Number(query.offset), body);
    },
    { admit: admitRestore },
  );

  api.serve(deviceOperations.restoreBackup, async (request) => {
    const { body, raw } = request;
    if (password.isSet) await requirePassword(body.password ?? '', raw);
    else await requireFirstRun(request);
    const { recovery_code: code, passphrase = '' } = body;
    const { uid, siteName, madeAt, hasHistory, configurationProblem } = await (code === undefined
      ? backups.restore(passphrase, actorOf(raw))
      : backups.restoreFromCloud(code, actorOf(raw)));
    return {
      uid,
      site_name: siteName,
      made_at: madeAt,
      history: hasHistory,
      configuration_problem: configurationProblem,
    };
  });
}

/** The caller on the network of the home, who has the password, or could set one. */
function actorOf(raw: FastifyRequest['raw']): Actor {
  const { via, address } = originOf(raw);
  return { name: 'local', via, address };
}
