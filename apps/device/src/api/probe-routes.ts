import {
  ErrorBody,
  ProbeBody,
  ProbeParams,
  ProbeReport,
  ProbeStarted,
  ValidationErrorBody,
} from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import type { FastifyInstance } from 'fastify';
import type { Admit } from './admission.ts';
import type { ProbeDesk } from './page-operations.ts';

const PATH = '/api/v1/probe';

/** Looks for hardware; reads alone. It takes minutes, so that it is started here and asked for there. */
export function probeRoutes(app: FastifyInstance, admitWriter: Admit, probes: ProbeDesk): void {
  app.post<{ Body: ProbeBody }>(
    PATH,
    {
      onRequest: admitWriter,
      schema: {
        body: ProbeBody,
        response: { 202: ProbeStarted, 422: ValidationErrorBody, '4xx': ErrorBody },
      },
    },
    async ({ body }, reply): Promise<ProbeStarted> => {
      const id = await probes.start(body);
      reply.code(202);
      return { id };
    },
  );

  app.get<{ Params: ProbeParams }>(
    `${PATH}/:id`,
    {
      onRequest: admitWriter,
      schema: { params: ProbeParams, response: { 200: ProbeReport, '4xx': ErrorBody } },
    },
    ({ params }): ProbeReport => {
      const report = probes.report(params.id);
      if (report === undefined) throw new NotFound();
      return report;
    },
  );

  app.delete<{ Params: ProbeParams }>(
    `${PATH}/:id`,
    { onRequest: admitWriter, schema: { params: ProbeParams } },
    async ({ params }, reply): Promise<void> => {
      if (probes.report(params.id) === undefined) throw new NotFound();
      await probes.cancel(params.id);
      await reply.code(204).send();
    },
  );
}
