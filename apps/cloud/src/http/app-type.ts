import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route cleans the texts of its body, so that none of them makes the body one that cannot be read. */
    readonly cleansText?: boolean;
  }
}

/** The Fastify app whose routes take their types from TypeBox schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
