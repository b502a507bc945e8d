import { type Answer, type Input, type Operation, refusalsOf } from '@heliograph/contracts';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  preHandlerAsyncHookHandler,
  preSerializationAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify';
import type { TSchema } from 'typebox';
import { acceptBytes, BODY_LIMIT } from './bodies.ts';
import type { BodyAdmission } from './body-budget.ts';
import { asFields, type FieldErrors, type FieldRules } from './form.ts';

/**
 * Moves the text of `{ error }` to `{ error: { message } }`, which the clients of some operations read. Errors of fields
 * remain unchanged.
 */
const nestErrors: preSerializationAsyncHookHandler<unknown> = async (_request, reply, payload) => {
  return reply.statusCode >= 400 && hasErrorText(payload) ? { error: { message: payload.error } } : payload;
};

function hasErrorText(payload: unknown): payload is { readonly error: string } {
  return (
    typeof payload === 'object' && payload !== null && 'error' in payload && typeof payload.error === 'string'
  );
}

/** Replaces a missing body by an empty object, for routes whose fields are all optional. */
const optionalBody: preValidationAsyncHookHandler = async (request) => {
  if (request.body === undefined) request.body = {};
};

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
  of(operation: Operation): onRequestHookHandler | onRequestAsyncHookHandler | undefined;
  /** The hook that, once the input is valid, admits callers to the record that the path names; undefined where none does. */
  permit?(operation: Operation): preHandlerAsyncHookHandler | undefined;
}

/** For operations that read no token. */
export const WITHOUT_TOKENS: Guards = { of: () => undefined };

interface ServeOptions<Body = unknown> {
  /** The schema to validate with in place of the published one. */
  readonly body?: Operation['body'];
  /** Admits a caller without a token, before the body is read. */
  readonly admit?: onRequestAsyncHookHandler;
  /**
   * Errors of further rules, which a refusal of fields by the schema names, too. They reveal nothing about other accounts:
   * nothing of the request has been authorized but its token. The handler checks the rules of other bodies.
   *
   * @param fields those that the schema allows
   */
  fieldErrors?(fields: Partial<Body>): FieldErrors | Promise<FieldErrors>;
}

/** Serves operations of the contract: their routes, guards, validation and statuses follow from their definition. */
export class Api {
  readonly #app: FastifyInstance;
  readonly #guards: Guards;
  readonly #bodies: BodyAdmission | undefined;

  /** @param bodies admits the bodies of operations that take more than an ordinary one */
  constructor(app: FastifyInstance, guards: Guards, bodies?: BodyAdmission) {
    this.#app = app;
    this.#guards = guards;
    this.#bodies = bodies;
  }

  serve<const Op extends Operation>(
    operation: Op,
    handler: OperationHandler<Op>,
    { body = operation.body, admit, fieldErrors }: ServeOptions<Input<Op, 'body'>> = {},
  ): void {
    const { route, params, query, answers, bodyLimit } = operation;
    const [method = '', path = ''] = route.split(' ');
    const guard = this.#guards.of(operation);
    const onRequest = [guard, admit].filter((hook) => hook !== undefined);
    const bodies = this.#bodiesOf(operation);
    const fields = refusesFields(operation)
      ? asFields(body as TSchema, {
          isForm: operation.invalidFields === 422,
          fieldErrors: fieldErrors as FieldRules,
        })
      : undefined;
    const preHandler = [fields?.preHandler, this.#guards.permit?.(operation)].filter(
      (hook) => hook !== undefined,
    );
    const status = Number(Object.keys(answers)[0]) as keyof typeof answers;
    this.#app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      ...(bodyLimit !== undefined && { bodyLimit }),
      onRequest,
      ...(bodies !== undefined && {
        preParsing: async (request, reply) => bodies.admit(request, reply, bodyLimit ?? 0),
      }),
      ...(operation.isBodyOptional && { preValidation: optionalBody }),
      ...fields,
      preHandler,
      ...(operation.errorShape === 'nested' && { preSerialization: nestErrors }),
      schema: {
        ...(params !== undefined && { params }),
        ...(query !== undefined && { querystring: query }),
        ...(body !== undefined && { body }),
        response: answers,
      },
      handler: async (request, reply) => {
        reply.code(status);
        const handle = () => handler(request as OperationRequest<Op>, reply);
        return bodies === undefined ? handle() : bodies.handle(request, handle);
      },
    });
  }

  /** Undefined for an operation with ordinary bodies. */
  #bodiesOf({ id, bodyLimit = 0 }: Operation): BodyAdmission | undefined {
    if (bodyLimit <= BODY_LIMIT) return undefined;
    if (this.#bodies === undefined) throw new Error(`Nothing bounds the memory for the bodies of ${id}`);
    return this.#bodies;
  }

  /** Serves operations whose bodies are bytes, of any media type. */
  serveBytes<const Op extends Operation>(
    operation: Op,
    handler: OperationHandler<Op>,
    options: Pick<ServeOptions, 'admit'> = {},
  ): void {
    this.#app.register(async (scope) => {
      acceptBytes(scope);
      new Api(scope, this.#guards, this.#bodies).serve(operation, handler, options);
    });
  }
}

/**
 * Whether an operation answers values that are not allowed with 422, by field. Devices and proxies of earlier releases
 * know the statuses of internal operations, which remain 400.
 */
function refusesFields(operation: Operation): boolean {
  const { body, tag, errorShape } = operation;
  if (body === undefined || 'content' in body || tag === 'internal' || errorShape !== undefined) return false;
  return refusalsOf(operation).includes(422);
}
