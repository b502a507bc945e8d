import { Readable } from 'node:stream';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { ExportService } from './service.ts';

export function exportRoutes(api: Api, exports: ExportService): void {
  api.serve(cloudOperations.requestExport, (request) =>
    exports.request(callerOf(request), request.body ?? {}),
  );

  api.serve(cloudOperations.listExports, (request) => exports.list(callerOf(request)));

  api.serve(cloudOperations.downloadExport, async (request, reply) => {
    const { name, size, chunks } = await exports.download(callerOf(request), request.params.id);
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
