import { Readable } from 'node:stream';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import { downloadExport, type ExportPlatform, listExports, requestExport } from './exports.ts';

export function exportRoutes(api: Api, platform: ExportPlatform): void {
  serveUseCases(api, platform, { requestExport, listExports });

  api.serve(cloudOperations.downloadExport, async (request, reply) => {
    const { name, size, chunks } = await downloadExport(platform, callerOf(request), request);
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-length': size,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(Readable.from(chunks));
  });
}
