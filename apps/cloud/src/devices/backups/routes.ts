import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { Unprocessable } from '@heliograph/kit';
import { clientAddressFrom } from '../../common/client-address.ts';
import { deviceOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { bearerOf } from '../devices/proof-admission.ts';
import { fetchBackup, listSiteBackups, removeBackups, storeBackup } from './backups.ts';

export function deviceBackupRoutes(api: Api, platform: Platform): void {
  api.serveBytes(internalOperations.storeDeviceBackup, async (request) => {
    const { query, body } = request;
    if (query.fetch_hash === undefined) throw new Unprocessable('fetch_hash is missing');
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    await storeBackup(platform, deviceOf(request).uid, query.fetch_hash, bytes);
  });

  api.serve(internalOperations.removeDeviceBackups, (request) =>
    removeBackups(platform, deviceOf(request).uid),
  );

  api.serve(internalOperations.fetchDeviceBackup, async (request, reply) =>
    reply
      .headers({ 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
      .send(await fetchBackup(platform, bearerOf(request), clientAddressFrom(request.ip))),
  );

  serveUseCases(api, platform, { listSiteBackups });
}
