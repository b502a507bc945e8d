import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DateTime, Id, MAX_ID, nullable } from '../common/schemas.ts';
import { CSV_LOCALE } from '../text/csv-locale.ts';

export const DataExport = Type.Object({
  id: Type.Integer(),
  site: nullable(
    Type.Object(
      { id: Type.Integer(), name: nullable(Type.String()) },
      { description: 'The site that it is about; null: the account' },
    ),
  ),
  requested_at: DateTime,
  ready_at: nullable(Type.String({ format: 'date-time', description: 'Null: it is being made' })),
  expires_at: Type.String({ format: 'date-time', description: 'When it is gone' }),
  size: nullable(Type.Integer({ description: 'In bytes; null: it is being made' })),
});
export type DataExport = Static<typeof DataExport>;

export const DataExportParams = Type.Object({ id: Id });

export const RequestExportBody = Type.Object({
  site_id: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ID,
        description: 'A site whose owner or admin the account is; null or left out: the account itself',
      }),
    ),
  ),
  csv_locale: Type.Optional(
    nullable(
      Type.String({
        pattern: CSV_LOCALE,
        maxLength: 16,
        description:
          'A language, or a language and region (BCP 47), whose spreadsheets open the CSV by themselves: with a byte order mark, and with semicolons and decimal commas where these are usual. Null or left out: commas and decimal points without a mark (RFC 4180)',
        examples: ['de', 'en-GB', 'fr-CH'],
      }),
    ),
  ),
});
export type RequestExportBody = Static<typeof RequestExportBody>;

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
