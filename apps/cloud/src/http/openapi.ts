import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import {
  ErrorBody,
  NestedErrorBody,
  type Operation,
  type Refusal,
  type Requirement,
  refusalsOf,
  SecondFactorAnswer,
  SignInAgainAnswer,
  UnconfirmedAnswer,
  ValidationErrorBody,
} from '@heliograph/contracts';
import type { FastifySchema, RouteOptions } from 'fastify';
import { Type } from 'typebox';
import type { App } from './app-type.ts';
import { nameSchemas } from './openapi-components.ts';
import { INTRODUCTION, REFUSAL_DESCRIPTIONS, TAGS, WRONG_CREDENTIALS } from './openapi-texts.ts';

/** The plugin's key for the description of an answer, which keeps it out of the schema. */
const DESCRIPTION = 'x-response-description';

/** Marks an operation with an optional body on its way through the plugin, which has no such option. */
const OPTIONAL_BODY = 'x-optional-body';

const RetryAfter = Type.Integer({ description: 'Seconds until it is worth trying again' });

/** Operations that devices and proxies call, not clients. */
const INTERNAL = 'internal';

/**
 * Publishes the contract: `/openapi.json`, `/openapi.yaml`, and a page to read it at `/docs`. It is made from
 * the operations that the routes serve. Routes that are added afterwards are in it.
 */
export async function publishContract(app: App, cloudUrl: () => string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Heliograph cloud', version: '1', description: INTRODUCTION },
      tags: TAGS,
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({ schema: documented(schema, route), url }),
    transformObject: (made) => {
      if (!('openapiObject' in made)) return made.swaggerObject;
      return { ...nameSchemas(withOptionalBodies(made.openapiObject)), servers: [{ url: cloudUrl() }] };
    },
  });
  const hide = { schema: { hide: true } };
  app.get('/openapi.json', hide, () => app.swagger());
  app.get('/openapi.yaml', hide, (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(app.swagger({ yaml: true })),
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Heliograph API' },
    uiConfig: { layout: 'BaseLayout' },
    staticCSP: READER_POLICY,
    // The page may be served at another address than the one that operations are tried at.
    transformStaticCSP: (policy) => policy.replace('connect-src', `connect-src ${cloudUrl()}`),
  });
}

/** Policy of the page `/docs`: its scripts and styles are its own, its icons are in the styles. */
const READER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FRESH =
  'Needs the token of a session whose person has signed in, or proved again who they are, within 15 minutes.';

/** A route's schema with what its operation requires, and refuses with. */
function documented(schema: FastifySchema | undefined, { config }: RouteOptions): FastifySchema {
  const operation = config?.operation;
  // Pages, health checks, and operations of devices and proxies.
  if (operation === undefined || operation.tag === INTERNAL) return { hide: true };
  const { id, tag, summary, description, requires, isBodyOptional } = operation;
  const paragraphs = [description, descriptionOf(requires)];
  return {
    ...schema,
    operationId: id,
    tags: [tag],
    summary,
    description: paragraphs.filter((text) => text !== undefined).join('\n\n'),
    security: requires === 'nothing' ? [] : securityOf(requires),
    response: { ...successesOf(operation), ...refusalAnswersOf(operation) },
    ...(isBodyOptional && { [OPTIONAL_BODY]: true }),
  };
}

/** Alternatives, of which a token fulfils at least one; scopes of bearer tokens stand there since OpenAPI 3.1. */
function securityOf(requires: Requirement): { bearer: string[] }[] {
  if (typeof requires !== 'object' || requires.length === 0) return [{ bearer: [] }];
  return requires.map((scope) => ({ bearer: [scope] }));
}

function descriptionOf(requires: Requirement): string | undefined {
  if (requires === 'nothing') return undefined;
  if (requires === 'session') return 'Needs the token of a session: what only the person may do.';
  if (requires === 'fresh_session') return FRESH;
  if (requires === 'enrolment')
    return `${FRESH} In its place does the \`pending_token\` of a sign-in that waits for a first second factor.`;
  if (requires === 'proxy') return 'Needs the credential of the proxy.';
  if (requires.length === 0) return 'Needs any valid token.';
  return `Needs a token with the scope ${requires.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** The successful answers, described by HTTP's reason phrase where the schema has no description. */
function successesOf({ answers }: Operation): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      { [DESCRIPTION]: STATUS_CODES[status], ...schema },
    ]),
  );
}

function refusalAnswersOf(operation: Operation): Record<string, unknown> {
  return Object.fromEntries(refusalsOf(operation).map((status) => [status, refusal(status, operation)]));
}

function refusal(status: Refusal, { requires, errorShape }: Operation): object {
  const plain = errorShape === 'nested' ? NestedErrorBody : ErrorBody;
  const takesNoToken = status === 401 && requires === 'nothing';
  const about = { [DESCRIPTION]: takesNoToken ? WRONG_CREDENTIALS : REFUSAL_DESCRIPTIONS[status] };
  if (status === 412) return { ...about, ...Type.Union([UnconfirmedAnswer, SecondFactorAnswer]) };
  if (status === 403 && (requires === 'fresh_session' || requires === 'enrolment'))
    return { ...about, ...Type.Union([SignInAgainAnswer, plain]) };
  if (status === 422) return { ...about, ...Type.Union([ValidationErrorBody, plain]) };
  if (status === 429) return { ...about, ...plain, headers: { 'Retry-After': RetryAfter } };
  return { ...about, ...plain };
}

interface Operations {
  readonly paths?: Readonly<Record<string, object | undefined>>;
}

/** Marks optional bodies as not required. */
function withOptionalBodies<Document extends Operations>(document: Document): Document {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      if (!(OPTIONAL_BODY in operation)) continue;
      operation.requestBody.required = false;
      delete operation[OPTIONAL_BODY];
    }
  }
  return document;
}
