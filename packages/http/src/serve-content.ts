import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How long clients and caches may reuse content, in seconds: short, so that an update shows soon. */
const MAX_AGE_S = 300;

/** The ways to send content, the preferred first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

type Encoding = (typeof ENCODINGS)[number];

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

/** Brotli's hardest levels take ten times as long for a tenth less. */
const BROTLI_QUALITY = 9;

interface Representation {
  readonly content: Buffer;
  readonly encoding: Encoding;
  /** A strong entity tag: it differs for each encoding (RFC 9110, 8.8.3). */
  readonly etag: string;
}

export interface ContentOptions {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, at the first request: the documents of the API take a tenth of a second. */
  make(): string | Buffer;
}

/**
 * Serves content that remains the same while the process runs, to anyone: compressed once for each encoding that a client
 * asks for, and answered with 304 to a client that has it.
 */
export function serveContent(
  app: FastifyInstance,
  path: string,
  { type, headers = {}, make }: ContentOptions,
): void {
  let source: Buffer | undefined;
  const representations = new Map<Encoding, Promise<Representation>>();
  const representationIn = (encoding: Encoding): Promise<Representation> => {
    source ??= Buffer.from(make());
    const representation = representations.get(encoding) ?? represent(source, encoding);
    representations.set(encoding, representation);
    return representation;
  };

  app.get(path, async (request, reply) => {
    const accepted = negotiate(request.headers['accept-encoding'] ?? '', [...ENCODINGS]);
    const { content, encoding, etag } = await representationIn(accepted ?? 'identity');
    reply.headers({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': `public, max-age=${MAX_AGE_S}`,
      vary: 'accept-encoding',
      etag,
      ...headers,
    });
    if (isKnown(request, etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.send(content);
  });
}

async function represent(source: Buffer, encoding: Encoding): Promise<Representation> {
  const digest = createHash('sha256').update(source).digest('base64url');
  const compressed = await compress(source, encoding);
  // A few bytes grow when they are compressed.
  if (encoding === 'identity' || compressed.length >= source.length)
    return { content: source, encoding: 'identity', etag: `"${digest}"` };
  return { content: compressed, encoding, etag: `"${digest}-${encoding}"` };
}

function compress(source: Buffer, encoding: Encoding): Promise<Buffer> | Buffer {
  switch (encoding) {
    case 'br':
      return withBrotli(source, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
    case 'gzip':
      return withGzip(source, { level: constants.Z_BEST_COMPRESSION });
    case 'identity':
      return source;
  }
}

/** Whether the client has the content with the tag. A reverse proxy that compresses makes the tag a weak one. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
