import { type TSchema, Type } from 'typebox';
import type { Operation, OtherContent, Refusal, Requirement } from '../operations/operation.ts';
import { refusalsOf } from '../operations/operation.ts';
import { UnconfirmedAnswer } from '../schemas/accounts.ts';
import { ErrorBody, NestedErrorBody, ValidationErrorBody } from '../schemas/common.ts';
import { OwnPageRefusal } from '../schemas/device-session.ts';
import { SecondFactorAnswer, SignInAgainAnswer } from '../schemas/second-factor.ts';
import { nameSchemas } from './name-schemas.ts';
import { describeRequirement, REFUSAL_DESCRIPTIONS, STATUS_NAMES, WRONG_CREDENTIALS } from './texts.ts';

export interface DocumentOptions {
  readonly title: string;
  /** Markdown. */
  readonly introduction: string;
  /** In the order in which operations are shown. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: Readonly<Record<string, Operation>>;
  /** Schemas that the document names. */
  readonly schemas: Readonly<Record<string, object>>;
  /** By name. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** Alternatives of credentials for an operation. */
  security(operation: Operation): readonly object[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly components: { readonly securitySchemes: object; readonly schemas?: object };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly tags: readonly object[];
}

/** The OpenAPI document of operations, without the address of a server. */
export function openApiDocument(options: DocumentOptions): OpenApiDocument {
  const { title, introduction: description, tags, securitySchemes } = options;
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of Object.values(options.operations)) {
    const [method = '', path = ''] = operation.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: described(operation, options.security) };
  }
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title, version: '1', description },
    components: { securitySchemes },
    paths,
    tags,
  };
  return nameSchemas(document, options.schemas);
}

function described(operation: Operation, security: DocumentOptions['security']): object {
  const { id, tag, summary, description, requires, params, query, body, isBodyOptional, answers } = operation;
  const paragraphs = [description, describeRequirement(requires)].filter((text) => text !== undefined);
  const parameters = [
    ...parametersIn('query', query),
    ...parametersIn('path', params),
    ...(operation.takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
  const responses = [
    ...Object.entries(answers).map(([status, schema]) => [status, answer(Number(status), schema)] as const),
    ...refusalsOf(operation).map((status) => [status, refusal(status, operation)] as const),
  ];
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(paragraphs.length > 0 && { description: paragraphs.join('\n\n') }),
    ...(body !== undefined && {
      requestBody: { required: isBodyOptional !== true, content: contentOf(body) },
    }),
    ...(parameters.length > 0 && { parameters }),
    security: security(operation),
    responses: Object.fromEntries(responses),
  };
}

const IDEMPOTENCY_KEY = {
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description:
    'Chosen by the caller. For 24 hours the same request with the same key gets the same answer, and with another body 422',
};

function parametersIn(place: 'query' | 'path', schema: TSchema | undefined): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    schema: rest,
    in: place,
    name,
    required: required.includes(name),
    ...(description !== undefined && { description }),
  }));
}

function contentOf(schema: TSchema | OtherContent): object {
  return 'content' in schema ? (schema.content as object) : { 'application/json': { schema } };
}

function answer(status: number, schema: TSchema | OtherContent): object {
  const isEmpty = 'type' in schema && schema.type === 'null';
  return {
    description: descriptionOf(schema) ?? STATUS_NAMES[status],
    ...(!isEmpty && { content: contentOf(schema) }),
  };
}

function descriptionOf(schema: TSchema | OtherContent): string | undefined {
  return 'content' in schema ? (schema as OtherContent).description : undefined;
}

const RETRY_AFTER = {
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds until it is worth trying again' },
};

function refusal(status: Refusal, { requires, errorShape }: Operation): object {
  const takesNoToken = status === 401 && requires === 'nothing';
  return {
    description: takesNoToken ? WRONG_CREDENTIALS : REFUSAL_DESCRIPTIONS[status],
    ...(status === 429 && { headers: RETRY_AFTER }),
    content: { 'application/json': { schema: refusalSchema(status, requires, errorShape) } },
  };
}

function refusalSchema(status: Refusal, requires: Requirement, errorShape: Operation['errorShape']): TSchema {
  const plain = errorShape === 'nested' ? NestedErrorBody : ErrorBody;
  if (status === 412) return Type.Union([UnconfirmedAnswer, SecondFactorAnswer]);
  if (status === 403 && (requires === 'fresh_session' || requires === 'enrolment'))
    return Type.Union([SignInAgainAnswer, plain]);
  if (status === 403 && (requires === 'own_page' || requires === 'first_run')) return OwnPageRefusal;
  return status === 422 ? Type.Union([ValidationErrorBody, plain]) : plain;
}
