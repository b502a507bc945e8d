import type { App } from './app-type.ts';

/** `/healthz`: the process runs. `/readyz`: the database answers, so that it can serve. */
export function healthRoutes(app: App, queryDatabase: () => Promise<unknown>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    try {
      await queryDatabase();
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer');
      return reply.code(503).send({ error: 'The database does not answer' });
    }
  });
}
