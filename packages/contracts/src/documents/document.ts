import { type TSchema, Type } from 'typebox';
import { type Operation, type OtherContent, type Refusal, refusalsOf } from '../common/operation.ts';
import { ErrorBody, NestedErrorBody, ValidationErrorBody } from '../common/schemas.ts';
import { OwnPageRefusal } from '../device/session.ts';
import { SecondFactorAnswer } from '../identity/second-factor.ts';
import { SignInAgainAnswer } from '../identity/session-confirmation.ts';
import { UnconfirmedAnswer } from '../identity/sign-in.ts';
import { McpResult, OAuthErrorBody } from '../oauth/protocols.ts';
import { WriteRefusal } from '../readings/setting-writes.ts';
import { type NamedSchemas, pascal, SchemaComponents } from './name-schemas.ts';
import {
  describeRequirement,
  PASSING_REFUSALS,
  REFUSAL_DESCRIPTIONS,
  STATUS_NAMES,
  WRONG_CREDENTIALS,
} from './texts.ts';

const UnfinishedSignIn = Type.Union([UnconfirmedAnswer, SecondFactorAnswer]);
const FreshSessionRefusal = Type.Union([SignInAgainAnswer, ErrorBody]);
const InputRefusal = Type.Union([ValidationErrorBody, ErrorBody]);
const NestedInputRefusal = Type.Union([ValidationErrorBody, NestedErrorBody]);

/** Schemas of refusals by their name. `Error` alone is a type of most languages, or part of their runtimes. */
const REFUSAL_SCHEMAS = {
  ErrorBody,
  NestedErrorBody,
  ValidationErrorBody,
  OwnPageRefusal,
  UnfinishedSignIn,
  FreshSessionRefusal,
  InputRefusal,
  NestedInputRefusal,
  OAuthErrorBody,
  WriteRefusal,
};

const PAGE = { 'text/html': { schema: Type.String() } };
/** A request that no page could be about. */
const UNREADABLE = { 'application/json': { schema: ErrorBody } };

/** The body of an operation's refusal. */
function refusalContent(status: Refusal, operation: Operation): TSchema | OtherContent {
  const { errorShape } = operation;
  if (errorShape === 'page') return { content: status === 400 ? { ...PAGE, ...UNREADABLE } : PAGE };
  if (errorShape === 'json_rpc' && (status === 400 || status === 415)) return McpResult;
  return errorShape === 'oauth' ? OAuthErrorBody : refusalSchema(status, operation);
}

function refusalSchema(status: Refusal, { requires, errorShape }: Operation): TSchema {
  const isNested = errorShape === 'nested';
  if (status === 412) return UnfinishedSignIn;
  if (status === 403 && (requires === 'fresh_session' || requires === 'enrolment'))
    return FreshSessionRefusal;
  if (status === 403 && (requires === 'own_page' || requires === 'first_run')) return OwnPageRefusal;
  if (errorShape === 'write' && (status === 422 || status === 503)) return WriteRefusal;
  if (status === 422) return isNested ? NestedInputRefusal : InputRefusal;
  return isNested ? NestedErrorBody : ErrorBody;
}

export interface DocumentOptions {
  readonly title: string;
  /** Markdown. */
  readonly introduction: string;
  /** In the order in which operations are shown. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: Readonly<Record<string, Operation>>;
  /** Schemas that the document names, besides those whose place names them. */
  readonly schemas: NamedSchemas;
  /** By name. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** Alternatives of credentials for an operation. */
  security(operation: Operation): readonly object[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly components: { readonly securitySchemes: object; readonly schemas?: object };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly tags: readonly object[];
}

/** The OpenAPI document of operations, without the address of a server. */
export function openApiDocument(options: DocumentOptions): OpenApiDocument {
  const { title, introduction: description, tags, securitySchemes } = options;
  const paths: Record<string, Record<string, object>> = {};
  const components = new SchemaComponents({ ...REFUSAL_SCHEMAS, ...options.schemas });
  for (const operation of Object.values(options.operations)) {
    const [method = '', path = ''] = operation.route.split(' ');
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: described(operation, options.security, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description },
    components: { securitySchemes, schemas: components.schemas },
    paths,
    tags,
  };
}

function described(
  operation: Operation,
  security: DocumentOptions['security'],
  components: SchemaComponents,
): object {
  const place = pascal(operation.id);
  const { id, tag, summary, description, requires, params, query, body, isBodyOptional, answers } = operation;
  const paragraphs = [description, describeRequirement(requires)].filter((text) => text !== undefined);
  const parameters = [
    ...parametersIn('query', query, components, place),
    ...parametersIn('path', params, components, place),
    ...(operation.takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
  const responses = [
    ...Object.entries(answers).map(
      ([status, schema]) => [status, answer(Number(status), schema, components, place)] as const,
    ),
    ...refusalsOf(operation).map((status) => [status, refusal(status, operation, components)] as const),
  ];
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(paragraphs.length > 0 && { description: paragraphs.join('\n\n') }),
    ...(body !== undefined && {
      requestBody: {
        required: isBodyOptional !== true,
        content: contentOf(body, components, `${place}Body`),
      },
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

function parametersIn(
  location: 'query' | 'path',
  schema: TSchema | undefined,
  components: SchemaComponents,
  place: string,
): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    schema: components.refer(rest, place + pascal(name)),
    in: location,
    name,
    required: required.includes(name),
    ...(description !== undefined && { description }),
  }));
}

function contentOf(schema: TSchema | OtherContent, components: SchemaComponents, place: string): object {
  const content = 'content' in schema ? (schema as OtherContent).content : { 'application/json': { schema } };
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema: each }]) => {
      const isText = /json|text|urlencoded/.test(type);
      // Generated clients read content without a format as text, which spoils files.
      return [type, { schema: isText ? components.refer(each, place) : { ...each, ...BINARY } }];
    }),
  );
}

function answer(
  status: number,
  schema: TSchema | OtherContent,
  components: SchemaComponents,
  place: string,
): object {
  const isEmpty = 'type' in schema && schema.type === 'null';
  return {
    description: descriptionOf(schema) ?? STATUS_NAMES[status],
    ...(!isEmpty && { content: contentOf(schema, components, `${place}Answer`) }),
  };
}

function descriptionOf(schema: TSchema | OtherContent): string | undefined {
  return 'content' in schema ? (schema as OtherContent).description : undefined;
}

const BINARY = { type: 'string', format: 'binary' };

const RETRY_AFTER = {
  'Retry-After': {
    schema: { type: 'integer', format: 'int64' },
    description: 'Seconds until it is worth trying again',
  },
};

function refusal(status: Refusal, operation: Operation, components: SchemaComponents): object {
  const takesNoToken = status === 401 && operation.requires === 'nothing';
  return {
    description: takesNoToken ? WRONG_CREDENTIALS : REFUSAL_DESCRIPTIONS[status],
    ...(PASSING_REFUSALS.includes(status) && { headers: RETRY_AFTER }),
    content: contentOf(refusalContent(status, operation), components, ''),
  };
}
