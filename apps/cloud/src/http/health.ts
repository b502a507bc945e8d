import type { App } from './app-type.ts';

/** `/healthz`: the process runs. `/readyz`: it can serve, because the database answers. */
export function healthRoutes(app: App, ask: () => Promise<unknown>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    try {
      await ask();
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer');
      return reply.code(503).send({ error: 'The database does not answer' });
    }
  });
}
