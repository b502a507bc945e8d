import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import {
  ErrorBody,
  NestedErrorBody,
  SecondFactorAnswer,
  SignInAgainAnswer,
  UnconfirmedAnswer,
  ValidationErrorBody,
} from '@heliograph/contracts';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { App } from './app-type.ts';
import { type Requirement, requirementOf } from './guards.ts';
import { nestErrors } from './nested-errors.ts';
import { nameSchemas } from './openapi-components.ts';
import { REFUSAL_DESCRIPTIONS, REFUSALS, type Refusal, WRONG_CREDENTIALS } from './openapi-refusals.ts';
import { INTRODUCTION, TAGS } from './openapi-texts.ts';
import { optionalBody } from './optional-body.ts';

/** The plugin's key for the description of an answer, which keeps it out of the schema. */
const DESCRIPTION = 'x-response-description';

/** Marks an operation with an optional body on its way through the plugin, which has no such option. */
const OPTIONAL_BODY = 'x-optional-body';

const RetryAfter = Type.Integer({ description: 'Seconds until it is worth trying again' });

/** Operations that devices and proxies call, not clients. */
const INTERNAL = 'internal';

/**
 * Publishes the contract: `/openapi.json`, `/openapi.yaml`, and a page to read it at `/docs`. It is made from
 * the schemas that validate, the guards that stand before the routes and the table of refusals. Routes that are
 * added afterwards are in it.
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

/** A route's schema with its guard's requirement and its refusals. */
function documented(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  // Pages, health checks, and operations of devices and proxies.
  if (schema?.tags === undefined || schema.tags.includes(INTERNAL)) return { hide: true };
  const requirement = requirementOf(route);
  const paragraphs = [schema.description, requirement && descriptionOf(requirement)];
  return {
    ...schema,
    description: paragraphs.filter((text) => text !== undefined).join('\n\n'),
    security: requirement === undefined ? [] : securityOf(requirement),
    response: { ...successesOf(schema), ...refusalsOf(schema, route) },
    ...(route.preValidation === optionalBody && { [OPTIONAL_BODY]: true }),
  };
}

/** Alternatives, of which a token fulfils at least one; scopes of bearer tokens stand there since OpenAPI 3.1. */
function securityOf(requirement: Requirement): { bearer: string[] }[] {
  if (requirement.kind !== 'scopes' || requirement.anyOf.length === 0) return [{ bearer: [] }];
  return requirement.anyOf.map((scope) => ({ bearer: [scope] }));
}

function descriptionOf(requirement: Requirement): string {
  if (requirement.kind === 'session') return 'Needs the token of a session: what only the person may do.';
  if (requirement.kind === 'fresh_session') return FRESH;
  if (requirement.kind === 'enrolment')
    return `${FRESH} In its place does the \`pending_token\` of a sign-in that waits for a first second factor.`;
  if (requirement.anyOf.length === 0) return 'Needs any valid token.';
  return `Needs a token with the scope ${requirement.anyOf.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** The successful answers, described by HTTP's reason phrase where the schema has no description. */
function successesOf({ response }: FastifySchema): Record<string, unknown> {
  const answers = Object.entries((response ?? {}) as Record<string, object>);
  return Object.fromEntries(
    answers.map(([status, schema]) => [status, { [DESCRIPTION]: STATUS_CODES[status], ...schema }]),
  );
}

/** @throws Error for an operation that the table of refusals does not have */
function refusalsOf({ operationId = '' }: FastifySchema, route: RouteOptions): Record<string, unknown> {
  const refusals = REFUSALS[operationId];
  if (refusals === undefined) throw new Error(`What does ${operationId || route.url} refuse with?`);
  const plain = route.preSerialization === nestErrors ? NestedErrorBody : ErrorBody;
  const statuses = [...new Set([...refusals, ...refusalsByShape(route)])].sort();
  return Object.fromEntries(statuses.map((status) => [status, refusal(status, plain, requirementOf(route))]));
}

/** Refusals that follow from an operation's input. */
function refusalsByShape({ method, schema = {} }: RouteOptions): Refusal[] {
  const statuses: Refusal[] = [];
  if (schema.querystring !== undefined || schema.params !== undefined || method !== 'GET') statuses.push(400);
  if (method !== 'GET') statuses.push(413);
  return statuses;
}

function refusal(status: Refusal, plain: TSchema, requirement: Requirement | undefined): object {
  const takesNoToken = status === 401 && requirement === undefined;
  const about = { [DESCRIPTION]: takesNoToken ? WRONG_CREDENTIALS : REFUSAL_DESCRIPTIONS[status] };
  if (status === 412) return { ...about, ...Type.Union([UnconfirmedAnswer, SecondFactorAnswer]) };
  if (status === 403 && requiresFreshSignIn(requirement))
    return { ...about, ...Type.Union([SignInAgainAnswer, plain]) };
  if (status === 422) return { ...about, ...Type.Union([ValidationErrorBody, plain]) };
  if (status === 429) return { ...about, ...plain, headers: { 'Retry-After': RetryAfter } };
  return { ...about, ...plain };
}

function requiresFreshSignIn(requirement: Requirement | undefined): boolean {
  return requirement?.kind === 'fresh_session' || requirement?.kind === 'enrolment';
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
