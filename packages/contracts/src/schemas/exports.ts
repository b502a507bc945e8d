import { type Static, Type } from 'typebox';
import { DateTime, MAX_ID, nullable } from './common.ts';

const Id = Type.Integer({ minimum: 1, maximum: MAX_ID });

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
});
export type RequestExportBody = Static<typeof RequestExportBody>;
