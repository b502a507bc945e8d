import type { Answer, Input, Operation } from '@heliograph/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { acceptBytes } from './bodies.ts';
import { asForm } from './form.ts';
import { nestErrors } from './nested-errors.ts';
import { optionalBody } from './optional-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that the route serves. */
    readonly operation?: Operation;
  }
}

export type OperationRequest<Op extends Operation> = FastifyRequest<{
  Params: Input<Op, 'params'>;
  Querystring: Input<Op, 'query'>;
  Body: Input<Op, 'body'>;
}>;

type Result<Op extends Operation> = [Answer<Op>] extends [null]
  ? Promise<void> | Promise<FastifyReply>
  : Answer<Op> | FastifyReply | Promise<Answer<Op> | FastifyReply>;

/** Returns the value of the answer, or a reply that it sent itself. */
export type OperationHandler<Op extends Operation> = (
  request: OperationRequest<Op>,
  reply: FastifyReply,
) => Result<Op>;

export interface Guards {
  /** The hook that admits callers to an operation; undefined where it requires nothing. */
  of(operation: Operation): onRequestAsyncHookHandler | undefined;
}

/** For operations that read no token. */
export const WITHOUT_TOKENS: Guards = { of: () => undefined };

/** Serves operations of the contract: their routes, guards, validation and statuses follow from their definition. */
export class Api {
  readonly #app: FastifyInstance;
  readonly #guards: Guards;

  constructor(app: FastifyInstance, guards: Guards) {
    this.#app = app;
    this.#guards = guards;
  }

  /** @param body the schema to validate with in place of the published one */
  serve<const Op extends Operation>(
    operation: Op,
    handler: OperationHandler<Op>,
    { body = operation.body }: { readonly body?: Operation['body'] } = {},
  ): void {
    const { route, params, query, answers, bodyLimit } = operation;
    const [method = '', path = ''] = route.split(' ');
    const onRequest = this.#guards.of(operation);
    const status = Number(Object.keys(answers)[0]) as keyof typeof answers;
    this.#app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(onRequest !== undefined && { onRequest }),
      ...(operation.isBodyOptional && { preValidation: optionalBody }),
      ...(operation.invalidFields === 422 && asForm(body as TSchema)),
      ...(operation.errorShape === 'nested' && { preSerialization: nestErrors }),
      schema: {
        ...(params !== undefined && { params }),
        ...(query !== undefined && { querystring: query }),
        ...(body !== undefined && { body }),
        response: answers,
      },
      handler: async (request, reply) => {
        reply.code(status);
        return handler(request as OperationRequest<Op>, reply);
      },
    });
  }

  /** Serves operations whose bodies are bytes, of any media type. */
  serveBytes<const Op extends Operation>(
    operation: Op,
    handler: OperationHandler<Op>,
    { admit }: { /** Runs before the body is read. */ readonly admit?: onRequestAsyncHookHandler } = {},
  ): void {
    this.#app.register(async (scope) => {
      acceptBytes(scope);
      if (admit !== undefined) scope.addHook('onRequest', admit);
      new Api(scope, this.#guards).serve(operation, handler);
    });
  }
}
