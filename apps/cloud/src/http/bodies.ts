import { BadRequest, findJsonFault, type JsonFault } from '@heliograph/kit';
import type { App } from './app-type.ts';

/** Largest request body, in bytes, where a route does not need more. */
export const BODY_LIMIT = 64 * 1024;

const NOT_STORABLE = 'Text must be well-formed Unicode without NUL characters';

const FAULTS: Readonly<Record<JsonFault, string>> = {
  depth: 'The body nests too deep',
  fields: 'The body has too many fields',
  'duplicate key': 'The body names a field twice',
  text: NOT_STORABLE,
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bodies are JSON in UTF-8, or empty with any content type or none, as clients send them.
 */
export function acceptJsonOnly(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();

  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    const text = decoded(body as Buffer);
    if (text === undefined) {
      done(new BadRequest('The body is not UTF-8'), undefined);
      return;
    }
    const fault = findJsonFault(text, {
      anyText: request.routeOptions.config.operation?.cleansText === true,
    });
    if (fault === undefined) parseJson(request, text, done);
    else done(new BadRequest(FAULTS[fault]), undefined);
  });

  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(new BadRequest('The body must be JSON, with Content-Type: application/json'), undefined);
  });

  app.addHook('preValidation', async ({ query, params }) => {
    if (![query, params].every(isStorable)) throw new BadRequest(NOT_STORABLE);
  });
}

/** Whether PostgreSQL can store the texts of a query or of a path: one by name, or several of the same name. */
function isStorable(parameters: unknown): boolean {
  const texts = Object.entries(parameters ?? {}).flat(2);
  return texts.every((text) => typeof text !== 'string' || (!text.includes('\0') && text.isWellFormed()));
}

/** @returns undefined for bytes that are not UTF-8 */
function decoded(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
