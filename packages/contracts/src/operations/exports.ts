import { Type } from 'typebox';
import { DataExport, DataExportParams, RequestExportBody } from '../schemas/exports.ts';
import { operations } from './operation.ts';

const Archive = Type.Unsafe<Uint8Array>({ description: 'A ZIP with JSON and CSV' });

export const exportOperations = operations('exports', {
  requestExport: {
    route: 'POST /api/v1/user/exports',
    summary: 'Makes an archive of what the service has about the account, or about a site',
    description:
      'It is made in the background, and an email tells the account when it is ready. A request while one is being made answers that one.',
    requires: 'fresh_session',
    body: RequestExportBody,
    isBodyOptional: true,
    answers: { 201: DataExport },
    refusals: [404, 429],
  },

  listExports: {
    route: 'GET /api/v1/user/exports',
    summary: 'Lists the archives of the account, the newest first',
    requires: 'session',
    answers: { 200: Type.Array(DataExport) },
  },

  downloadExport: {
    route: 'GET /api/v1/user/exports/{id}/file',
    summary: 'Downloads an archive',
    requires: 'session',
    params: DataExportParams,
    answers: {
      200: { description: 'The archive', content: { 'application/zip': { schema: Archive } } },
    },
    refusals: [403, 404],
  },
});
