import { BadRequest, findJsonFault } from '@heliograph/kit';
import type { FastifyInstance } from 'fastify';

/** Refuses JSON that nests deeper or has more fields than anything a device takes, a field twice, or text that is none. */
export function refuseFaultyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (findJsonFault(text) === undefined) parse(request, text, done);
    else
      done(
        new BadRequest('The JSON nests too deep, has too many fields or one twice, or text that is none'),
        undefined,
      );
  });
}
