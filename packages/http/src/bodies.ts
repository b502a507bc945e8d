import type { IncomingHttpHeaders } from 'node:http';
import { BadRequest, findJsonFault, type JsonFault, UnsupportedMediaType } from '@heliograph/kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Largest request body, in bytes, where a route does not need another limit. */
export const BODY_LIMIT = 64 * 1024;

export const NOT_JSON = 'The body must be JSON, with Content-Type: application/json';
export const NOT_STORABLE = 'Text must be well-formed Unicode without NUL characters';

const FORM = 'application/x-www-form-urlencoded';
const NOT_FORM = `The body must be a form, with Content-Type: ${FORM}`;

const FAULTS: Readonly<Record<JsonFault, string>> = {
  depth: 'The body nests too deep',
  fields: 'The body has too many fields',
  'duplicate key': 'The body names a field twice',
  'reserved key': 'The body has a field with a reserved name: __proto__ or constructor',
  text: NOT_STORABLE,
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bodies are JSON in UTF-8, or empty with any content type or none, as clients send them. */
export function acceptJson(app: FastifyInstance): void {
  parseOnly(app, 'application/json', NOT_JSON, (bytes, { headers, routeOptions }) => {
    const anyText = routeOptions.config.operation?.cleansText === true;
    return parseJson(textOf(headers, bytes), anyText);
  });
}

/** Bodies are forms in UTF-8, or empty; handlers get their text. @param bodyLimit in bytes */
export function acceptForms(app: FastifyInstance, bodyLimit: number): void {
  parseOnly(app, FORM, NOT_FORM, (bytes, { headers }) => textOf(headers, bytes), bodyLimit);
}

/** Bodies are bytes of any type. */
export function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  addParser(app, '*', (bytes, { headers }) => {
    requireNoEncoding(headers);
    return bytes;
  });
}

type BodyParser = (bytes: Buffer, request: FastifyRequest) => unknown;

/** @param message of the refusal of other types */
function parseOnly(
  app: FastifyInstance,
  type: string,
  message: string,
  parse: BodyParser,
  bodyLimit?: number,
): void {
  app.removeAllContentTypeParsers();
  addParser(
    app,
    type,
    (bytes, request) => (isIgnored(bytes, request) ? undefined : parse(bytes, request)),
    bodyLimit,
  );
  addParser(app, '*', (bytes, request) => {
    if (!isIgnored(bytes, request)) throw new UnsupportedMediaType(message);
  });
}

/** Whether it is empty, or came with an operation that has no body: Node-RED sends its payload with every POST. */
function isIgnored(bytes: Buffer, { routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  return bytes.length === 0 || (operation !== undefined && operation.body === undefined);
}

function addParser(app: FastifyInstance, type: string, parse: BodyParser, bodyLimit?: number): void {
  const options = { parseAs: 'buffer', ...(bodyLimit !== undefined && { bodyLimit }) } as const;
  app.addContentTypeParser(type, options, async (request: FastifyRequest, bytes: Buffer) =>
    parse(bytes, request),
  );
}

/** @throws BadRequest */
function parseJson(text: string, anyText: boolean): unknown {
  const fault = findJsonFault(text, { anyText });
  if (fault !== undefined) throw new BadRequest(FAULTS[fault]);
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('The body is not valid JSON');
  }
}

/** @throws UnsupportedMediaType, or BadRequest for bytes that are not UTF-8 */
function textOf(headers: IncomingHttpHeaders, bytes: Buffer): string {
  requireNoEncoding(headers);
  const charsets = [...(headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi)];
  if (!charsets.every(([, charset = '']) => /^utf-?8$/i.test(charset)))
    throw new UnsupportedMediaType('The body must be in UTF-8: no other charset is supported');
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BadRequest('The body is not UTF-8');
  }
}

/** @throws UnsupportedMediaType */
function requireNoEncoding({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): void {
  if (encoding.toLowerCase() !== 'identity')
    throw new UnsupportedMediaType('The body must not be compressed: no Content-Encoding is supported');
}
