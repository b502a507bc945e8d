import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { Unprocessable } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf } from '../../http/guards.ts';
import { bearerOf, type ProofAdmission } from '../devices/service.ts';
import type { DeviceBackupService } from './service.ts';

export function deviceBackupRoutes(api: Api, backups: DeviceBackupService, admission: ProofAdmission): void {
  const admit = async (request: FastifyRequest): Promise<void> => {
    const { uid } = request.query as { readonly uid?: unknown };
    await admission.admit(
      typeof uid === 'string' ? uid : '',
      bearerOf(request),
      clientAddressFrom(request.ip),
    );
  };

  api.serveBytes(
    internalOperations.storeDeviceBackup,
    async ({ query, body }) => {
      if (query.fetch_hash === undefined) throw new Unprocessable('fetch_hash is missing');
      await backups.store(query.uid, query.fetch_hash, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    },
    { admit },
  );

  api.serve(internalOperations.removeDeviceBackups, async (request) => {
    await admit(request);
    await backups.remove(request.query.uid);
  });

  api.serve(internalOperations.fetchDeviceBackup, async (request, reply) =>
    reply
      .headers({ 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
      .send(await backups.fetch(bearerOf(request), clientAddressFrom(request.ip))),
  );

  api.serve(cloudOperations.listSiteBackups, (request) => backups.list(callerOf(request), request.params.id));
}
