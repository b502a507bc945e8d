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
  /** Distinguishes requests that get different content, such as by the address that they were sent to. */
  variantOf?(request: FastifyRequest): string;
  /**
   * Called once for each variant, at its first request: the documents of the API take a tenth of a second.
   *
   * @param variant '' without `variantOf`
   */
  make(variant: string): string | Buffer;
}

/** Variants that are retained; the address of a request is its client's to choose. */
const MAX_VARIANTS = 8;

interface Variant {
  readonly source: Buffer;
  readonly representations: Map<Encoding, Promise<Representation>>;
}

/**
 * Serves content that remains the same while the process runs, to anyone: compressed once for each encoding that a client
 * asks for, and answered with 304 to a client that has it.
 */
export function serveContent(
  app: FastifyInstance,
  path: string,
  { type, headers = {}, variantOf = () => '', make }: ContentOptions,
): void {
  const variants = new Map<string, Variant>();
  const variantFor = (name: string): Variant => {
    const variant = variants.get(name) ?? { source: Buffer.from(make(name)), representations: new Map() };
    const [oldest] = variants.keys();
    if (oldest !== undefined && !variants.has(name) && variants.size >= MAX_VARIANTS) variants.delete(oldest);
    variants.set(name, variant);
    return variant;
  };
  const representationIn = (encoding: Encoding, name: string): Promise<Representation> => {
    const { source, representations } = variantFor(name);
    const representation = representations.get(encoding) ?? represent(source, encoding);
    representations.set(encoding, representation);
    return representation;
  };

  app.get(path, async (request, reply) => {
    const accepted = negotiate(request.headers['accept-encoding'] ?? '', [...ENCODINGS]);
    const { content, encoding, etag } = await representationIn(accepted ?? 'identity', variantOf(request));
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
