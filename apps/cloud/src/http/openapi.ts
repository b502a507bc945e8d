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

/** Where the plugin looks for the words about an answer, so that they do not become part of its schema. */
const DESCRIPTION = 'x-response-description';

/** Marks an operation whose body may be left out, on the way through the plugin, which knows no such thing. */
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
      return { ...nameSchemas(settled(made.openapiObject)), servers: [{ url: cloudUrl() }] };
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
    // The page may be read at another address than the one that operations are tried at.
    transformStaticCSP: (policy) => policy.replace('connect-src', `connect-src ${cloudUrl()}`),
  });
}

/** The page to read it at: its scripts and styles are its own, its icons are in the styles. */
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

/** A route's schema with what other parts of the route say: whom it lets in, and how it refuses. */
function documented(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  // Pages, health checks and what only devices and proxies call.
  if (schema?.tags === undefined || schema.tags.includes(INTERNAL)) return { hide: true };
  const demand = requirementOf(route);
  const paragraphs = [schema.description, demand && inWords(demand)];
  return {
    ...schema,
    description: paragraphs.filter((text) => text !== undefined).join('\n\n'),
    security: demand === undefined ? [] : securityOf(demand),
    response: { ...successesOf(schema), ...refusalsOf(schema, route) },
    ...(route.preValidation === optionalBody && { [OPTIONAL_BODY]: true }),
  };
}

/** Alternatives, of which a token fulfils at least one; scopes of bearer tokens stand there since OpenAPI 3.1. */
function securityOf(demand: Requirement): { bearer: string[] }[] {
  if (demand.kind !== 'scopes' || demand.anyOf.length === 0) return [{ bearer: [] }];
  return demand.anyOf.map((scope) => ({ bearer: [scope] }));
}

function inWords(demand: Requirement): string {
  if (demand.kind === 'session') return 'Needs the token of a session: what only the person may do.';
  if (demand.kind === 'fresh_session') return FRESH;
  if (demand.kind === 'enrolment')
    return `${FRESH} In its place does the \`pending_token\` of a sign-in that waits for a first second factor.`;
  if (demand.anyOf.length === 0) return 'Needs any valid token.';
  return `Needs a token with the scope ${demand.anyOf.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** The successful answers, with the words of HTTP where the schema has none of its own. */
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

/** How any operation refuses that takes what this one takes. */
function refusalsByShape({ method, schema = {} }: RouteOptions): Refusal[] {
  const statuses: Refusal[] = [];
  if (schema.querystring !== undefined || schema.params !== undefined || method !== 'GET') statuses.push(400);
  if (method !== 'GET') statuses.push(413);
  return statuses;
}

function refusal(status: Refusal, plain: TSchema, demand: Requirement | undefined): object {
  const takesNoToken = status === 401 && demand === undefined;
  const about = { [DESCRIPTION]: takesNoToken ? WRONG_CREDENTIALS : REFUSAL_DESCRIPTIONS[status] };
  if (status === 412) return { ...about, ...Type.Union([UnconfirmedAnswer, SecondFactorAnswer]) };
  if (status === 403 && asksForFreshSignIn(demand))
    return { ...about, ...Type.Union([SignInAgainAnswer, plain]) };
  if (status === 422) return { ...about, ...Type.Union([ValidationErrorBody, plain]) };
  if (status === 429) return { ...about, ...plain, headers: { 'Retry-After': RetryAfter } };
  return { ...about, ...plain };
}

function asksForFreshSignIn(demand: Requirement | undefined): boolean {
  return demand?.kind === 'fresh_session' || demand?.kind === 'enrolment';
}

interface Operations {
  readonly paths?: Readonly<Record<string, object | undefined>>;
}

/** Says of bodies that may be left out that they are not required. */
function settled<Document extends Operations>(document: Document): Document {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      if (!(OPTIONAL_BODY in operation)) continue;
      operation.requestBody.required = false;
      delete operation[OPTIONAL_BODY];
    }
  }
  return document;
}
