import type { FastifyInstance } from 'fastify';

/** Serves a text that is made at its first request: documents take a tenth of a second, and anyone may ask for them. */
export function serveDocument(app: FastifyInstance, path: string, type: string, make: () => string): void {
  let document: Buffer | undefined;
  app.get(path, (_request, reply) => {
    document ??= Buffer.from(make());
    return reply.type(`${type}; charset=utf-8`).send(document);
  });
}
