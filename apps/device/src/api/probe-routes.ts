import {
  ErrorBody,
  ProbeBody,
  ProbeParams,
  ProbeReport,
  ProbeStarted,
  ValidationErrorBody,
} from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { Admit } from './admission.ts';
import type { ProbeOperations } from './page-operations.ts';

const PATH = '/api/v1/probe';

/** Looks for hardware; reads alone. It takes minutes, so that it is started here and asked for there. */
export function probeRoutes(app: FastifyInstance, admitConfiguration: Admit, probes: ProbeOperations): void {
  app.post<{ Body: ProbeBody }>(
    PATH,
    {
      onRequest: admitConfiguration,
      schema: {
        body: ProbeBody,
        response: { 202: ProbeStarted, 422: ValidationErrorBody, '4xx': ErrorBody },
      },
    },
    async (request, reply): Promise<ProbeStarted> => {
      const id = await probes.start(request.body, callerOf(request));
      reply.code(202);
      return { id };
    },
  );

  app.get<{ Params: ProbeParams }>(
    `${PATH}/:id`,
    {
      onRequest: admitConfiguration,
      schema: { params: ProbeParams, response: { 200: ProbeReport, '4xx': ErrorBody } },
    },
    (request): ProbeReport => {
      const report = probes.report(request.params.id, callerOf(request));
      if (report === undefined) throw new NotFound();
      return report;
    },
  );

  app.delete<{ Params: ProbeParams }>(
    `${PATH}/:id`,
    { onRequest: admitConfiguration, schema: { params: ProbeParams } },
    async (request, reply): Promise<void> => {
      const { id } = request.params;
      if (probes.report(id, callerOf(request)) === undefined) throw new NotFound();
      await probes.cancel(id);
      await reply.code(204).send();
    },
  );
}

function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  return request.getDecorator<Caller>('caller');
}
