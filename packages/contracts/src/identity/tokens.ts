import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, Id, nullable } from '../common/schemas.ts';
import { API_TOKEN_SCOPES } from '../common/scopes.ts';
import { PlainName } from '../text/plain-text.ts';

/** An organization's id, or `none` for a token that belongs to no organization. */
export const OrganizationChoice = Type.Union([Type.Integer(), Type.Literal('none')], {
  description: 'The id of an organization for a token restricted to it, or `none`',
});
export type OrganizationChoice = Static<typeof OrganizationChoice>;

const life = {
  created_at: DateTime,
  expires_at: nullable(Type.String({ format: 'date-time', description: 'Null for one that never expires' })),
  last_used_at: nullable(Type.String({ format: 'date-time', description: 'To within five minutes' })),
  last_used_address: nullable(Type.String({ description: 'The address that it was last used from, then' })),
};

const organization = nullable(
  Type.Object(
    { id: Type.Integer(), name: Type.String() },
    { description: 'The organization that it is scoped to' },
  ),
);

const apiTokenFields = {
  id: Type.Integer(),
  name: Type.String({ description: 'What its user calls it' }),
  scopes: Type.Array(Type.Enum([...API_TOKEN_SCOPES])),
  organization,
  ...life,
};

export const ApiToken = Type.Object(apiTokenFields);
export type ApiToken = Static<typeof ApiToken>;

export const CreatedApiToken = Type.Object({
  ...apiTokenFields,
  token: Type.String({ description: 'The bearer token itself, which is shown this once' }),
});
export type CreatedApiToken = Static<typeof CreatedApiToken>;

/** Scopes that there are not are refused with a message for their field, not as unreadable. */
export const CreateApiTokenBody = Type.Object({
  name: PlainName({ description: 'What its user calls it, of 1 to 100 characters' }),
  scopes: Type.Array(Type.String(), {
    minItems: 1,
    description: `At least one of ${API_TOKEN_SCOPES.join(', ')}`,
    examples: [['sites:read_all']],
  }),
  organization_id: Type.Optional(OrganizationChoice),
  expires_at: Type.Optional(
    nullable(
      Type.String({ format: 'date-time', description: 'In the future; left out or null: it never expires' }),
    ),
  ),
});
export type CreateApiTokenBody = Static<typeof CreateApiTokenBody>;

export const SessionSummary = Type.Object({
  id: Type.Integer(),
  current: Type.Boolean({ description: 'Whether it is the session of the request' }),
  organization,
  ...life,
});
export type SessionSummary = Static<typeof SessionSummary>;

export const EndTokenQuery = Type.Object({
  made: Type.Optional(
    Type.Literal('end', {
      description:
        'Ends what it made for good; without it, what an API token made is suspended, and what a session made goes on',
    }),
  ),
});
export type EndTokenQuery = Static<typeof EndTokenQuery>;

export const TokenParams = Type.Object({ id: Id });

export const tokenOperations = operations('tokens', {
  listTokens: {
    route: 'GET /api/v1/user/tokens',
    summary: 'Lists the API tokens of the account, the newest first',
    requires: 'session',
    answers: { 200: Type.Array(ApiToken) },
  },

  createToken: {
    route: 'POST /api/v1/user/tokens',
    summary: 'Makes an API token and shows it, this once',
    requires: 'fresh_session',
    body: CreateApiTokenBody,
    invalidFields: 422,
    answers: { 201: CreatedApiToken },
    refusals: [422, 429],
  },

  revokeToken: {
    route: 'DELETE /api/v1/user/tokens/{id}',
    summary: 'Revokes an API token',
    requires: 'session',
    params: TokenParams,
    query: EndTokenQuery,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listSessions: {
    route: 'GET /api/v1/user/sessions',
    summary: 'Lists where the account is signed in, the newest first',
    requires: 'session',
    answers: { 200: Type.Array(SessionSummary) },
  },

  endSession: {
    route: 'DELETE /api/v1/user/sessions/{id}',
    summary: 'Ends a session',
    requires: 'session',
    params: TokenParams,
    query: EndTokenQuery,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
