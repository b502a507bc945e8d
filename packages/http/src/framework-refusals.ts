import type { FastifyError } from 'fastify';
import { NOT_JSON } from './bodies.ts';

export interface FrameworkRefusal {
  readonly status: number;
  readonly message: string;
}

const CANNOT_BE_READ = { status: 400, message: 'The request cannot be read' };

const REFUSALS: Readonly<Record<string, FrameworkRefusal>> = {
  // With a status it is the client's connection, and no other that a handler has.
  ECONNRESET: { status: 400, message: 'The body broke off' },
  FST_ERR_BAD_URL: { status: 400, message: 'The URL cannot be read' },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'The body is too large' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The body is not as long as Content-Length' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, message: NOT_JSON },
};

/** The answer to an invalid request that Fastify refused itself; undefined for any other error. */
export function frameworkRefusal({ code, statusCode }: Partial<FastifyError>): FrameworkRefusal | undefined {
  if (code === undefined || statusCode === undefined || statusCode >= 500) return undefined;
  return REFUSALS[code] ?? (code.startsWith('FST_') ? CANNOT_BE_READ : undefined);
}
