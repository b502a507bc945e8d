import { DEFAULT_LIMIT, ErrorBody, MAX_LIMIT, SettingWrite, SettingWritesQuery } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../auth/caller.ts';
import type { WriteLog, WriteLogEntry } from '../storage/write-log.ts';
import type { Admit } from './admission.ts';

/** The readable part of the write log. */
export type WriteHistory = Pick<WriteLog, 'recent'>;

/** The log of setting changes with their authors, for callers that may change settings themselves. */
export function settingsLogRoutes(app: FastifyInstance, admit: Admit, log: WriteHistory): void {
  app.get<{ Querystring: SettingWritesQuery }>(
    '/api/v1/settings/log',
    {
      onRequest: admit,
      schema: {
        querystring: SettingWritesQuery,
        response: { 200: Type.Array(SettingWrite), '4xx': ErrorBody },
      },
    },
    (request): readonly SettingWrite[] => {
      if (!request.getDecorator<Caller>('caller').mayWrite) throw new Forbidden(NOT_YOURS);
      const { limit = DEFAULT_LIMIT, before } = request.query;
      const most = Math.min(Number(limit), MAX_LIMIT);
      return log.recent(most, before === undefined ? undefined : Number(before)).map(presented);
    },
  );
}

const NOT_YOURS = 'Only who may change settings may read who did';

function presented({ id, at, author, via, topic, oldValue, newValue, outcome }: WriteLogEntry): SettingWrite {
  return {
    id,
    at: new Date(at).toISOString(),
    author,
    via,
    topic,
    old_value: oldValue,
    new_value: newValue,
    outcome,
  };
}
