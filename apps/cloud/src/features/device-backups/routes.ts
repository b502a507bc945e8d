import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { Unauthorized, Unprocessable } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf } from '../../http/guards.ts';
import type { DeviceBackupService } from './service.ts';

export function deviceBackupRoutes(api: Api, backups: DeviceBackupService): void {
  const admit = async (request: FastifyRequest): Promise<void> => {
    const { uid } = request.query as { readonly uid?: unknown };
    await backups.admit(typeof uid === 'string' ? uid : '', bearerOf(request), clientAddressFrom(request.ip));
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

/** @throws Unauthorized */
function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const token = /^Bearer ([\w.-]{1,4096})$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Unauthorized();
  return token;
}
