import type { FastifyInstance } from 'fastify';
import type { SnapshotSource } from '../poll/snapshot.ts';

/** `/healthz`: the process serves. `/readyz`: it also has readings to serve. Both open to anyone. */
export function healthRoutes(app: FastifyInstance, snapshots: SnapshotSource): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    if (snapshots.current.sequence > 0) return reply.send({ status: 'ok' });
    return reply.code(503).send({ error: 'Nothing has been read yet' });
  });
}
