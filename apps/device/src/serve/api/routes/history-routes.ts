import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { compileGlob } from '@heliograph/metrics';
import type { HistorySource } from '../../../history/history.ts';
import { parseStep, parseTime } from './history-times.ts';

/** The past of the topics that match a glob, as arrays ready to plot. */
export function historyRoutes(api: Api, history: HistorySource): void {
  api.serve(deviceOperations.getHistory, async (request, reply) => {
    const { topic = '*', from, to, step } = request.query;
    const fromMs = parseTime(from, 'from');
    const toMs = parseTime(to, 'to');
    const stepMs = parseStep(step);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const found = await history.read({
      matches: compileGlob(topic),
      signal: gone.signal,
      ...(fromMs !== undefined && { fromMs }),
      ...(toMs !== undefined && { toMs }),
      ...(stepMs !== undefined && { stepMs }),
    });
    // Twice as quick as by the schema, with tens of thousands of points.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(found));
  });
}
