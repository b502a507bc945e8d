import {
  DEFAULT_LIMIT,
  DeviceAuditEntry,
  ErrorBody,
  MAX_LIMIT,
  SettingWritesQuery,
} from '@heliograph/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AuditLog } from '../storage/audit-log.ts';
import type { Admit } from './admission.ts';

/** The audit log of the device, for callers that may configure it. */
export function auditRoutes(app: FastifyInstance, admit: Admit, log: Pick<AuditLog, 'recent'>): void {
  app.get<{ Querystring: SettingWritesQuery }>(
    '/api/v1/audit',
    {
      onRequest: admit,
      schema: {
        querystring: SettingWritesQuery,
        response: { 200: Type.Array(DeviceAuditEntry), '4xx': ErrorBody },
      },
    },
    ({ query: { limit = DEFAULT_LIMIT, before } }): readonly DeviceAuditEntry[] => {
      const most = Math.min(Number(limit), MAX_LIMIT);
      return log
        .recent(most, before === undefined ? undefined : Number(before))
        .map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }));
    },
  );
}
