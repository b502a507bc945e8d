import { BadRequest } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';

/** The `Idempotency-Key` of a request, with or without quotes; undefined without one. @throws BadRequest */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const [, key] = /^"?([\x21\x23-\x7e]{1,255})"?$/.exec(String(given).trim()) ?? [];
  if (key === undefined)
    throw new BadRequest('Idempotency-Key must be 1 to 255 characters of ASCII without spaces and quotes');
  return key;
}
