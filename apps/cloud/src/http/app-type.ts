import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Operation } from '@heliograph/contracts';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that the route serves. */
    readonly operation?: Operation;
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
