import { type HistoryAnswer, HistoryQuery } from '@heliograph/contracts';
import { compileGlob } from '@heliograph/metrics';
import type { FastifyInstance } from 'fastify';
import type { HistorySource } from '../history/history.ts';
import type { Admit } from './admission.ts';
import { parseStep, parseTime } from './history-times.ts';

/** The past of the topics that match a glob, as arrays ready to plot. */
export function historyRoutes(app: FastifyInstance, admit: Admit, history: HistorySource): void {
  app.get<{ Querystring: HistoryQuery }>(
    '/api/v1/history',
    { onRequest: admit, schema: { querystring: HistoryQuery } },
    (request, reply): Promise<HistoryAnswer> => {
      const { topic = '*', from, to, step } = request.query;
      const fromMs = parseTime(from, 'from');
      const toMs = parseTime(to, 'to');
      const stepMs = parseStep(step);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      return history.read({
        matches: compileGlob(topic),
        signal: gone.signal,
        ...(fromMs !== undefined && { fromMs }),
        ...(toMs !== undefined && { toMs }),
        ...(stepMs !== undefined && { stepMs }),
      });
    },
  );
}
