import { BadRequest } from '@heliograph/kit';
import type { App } from './app-type.ts';
import { hasDuplicateKeys } from './duplicate-keys.ts';
import { isStorable } from './storable.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bodies are JSON in UTF-8, or empty whatever their type says: clients send an empty body with or without a
 * content type.
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
    parseJson(request, text, (error, value) => {
      if (error === null && hasDuplicateKeys(text, value)) {
        done(new BadRequest('The body names a field twice'), undefined);
      } else done(error, value);
    });
  });

  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(new BadRequest('The body must be JSON, with Content-Type: application/json'), undefined);
  });

  app.addHook('preValidation', async ({ body, query, params }) => {
    if (![body, query, params].every(isStorable)) {
      throw new BadRequest('Text must be well-formed Unicode without NUL characters');
    }
  });
}

/** @returns undefined for bytes that are not UTF-8 */
function decoded(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
