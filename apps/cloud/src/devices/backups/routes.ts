import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { Unprocessable } from '@heliograph/kit';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf, deviceOf } from '../../http/guards.ts';
import { bearerOf } from '../devices/service.ts';
import type { DeviceBackupService } from './service.ts';

export function deviceBackupRoutes(api: Api, backups: DeviceBackupService): void {
  api.serveBytes(internalOperations.storeDeviceBackup, async (request) => {
    const { query, body } = request;
    if (query.fetch_hash === undefined) throw new Unprocessable('fetch_hash is missing');
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    await backups.store(deviceOf(request).uid, query.fetch_hash, bytes);
  });

  api.serve(internalOperations.removeDeviceBackups, (request) => backups.remove(deviceOf(request).uid));

  api.serve(internalOperations.fetchDeviceBackup, async (request, reply) =>
    reply
      .headers({ 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
      .send(await backups.fetch(bearerOf(request), clientAddressFrom(request.ip))),
  );

  api.serve(cloudOperations.listSiteBackups, (request) => backups.list(callerOf(request), request.params.id));
}
