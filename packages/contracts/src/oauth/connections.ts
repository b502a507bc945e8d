import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { DateTime, MAX_ID, nullable } from '../common/schemas.ts';
import { SCOPES, type Scope } from '../common/scopes.ts';

const named = { id: Type.Integer(), name: Type.String() };

const organization = Type.Object(named);

const connectionFields = {
  id: Type.String(),
  application: Type.Object({
    name: Type.String({ description: 'As the consent page showed it' }),
    kind: Type.Enum(['application', 'agent'], {
      description: "An organization's application, or an agent that registered itself",
    }),
    client_id: nullable(Type.String({ description: 'Null for an agent' })),
  }),
  organization: nullable(organization),
  scopes: Type.Array(Type.Enum(Object.keys(SCOPES) as Scope[]), { description: 'What was consented to' }),
  created_at: DateTime,
  expires_at: Type.String({
    format: 'date-time',
    description: 'When the last token that the third party has of it ends, those for live data included',
  }),
  last_used_at: nullable(
    Type.String({ format: 'date-time', description: 'When it last called the API, to within five minutes' }),
  ),
  last_used_address: nullable(Type.String({ description: 'The address that it called from, then' })),
};

/** A user's grant to a third party that has not expired. */
export const Connection = Type.Object({
  ...connectionFields,
  site: nullable(
    Type.Object(
      { id: Type.Integer(), name: nullable(Type.String()) },
      { description: 'The site that was chosen; null for an agent, which sees what its user sees' },
    ),
  ),
});
export type Connection = Static<typeof Connection>;

const person = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
});

/** Third parties that may read a site, for its owner. */
export const SiteConnections = Type.Object({
  organizations: Type.Array(
    Type.Object({
      organization,
      shared_by: nullable(person),
      created_at: DateTime,
    }),
    {
      description:
        'Organizations that may read the site until its household or an operator ends it, the newest first',
    },
  ),
  connections: Type.Array(Type.Object({ ...connectionFields, user: person }), {
    description: 'What users allowed applications for this one site, the newest first',
  }),
});
export type SiteConnections = Static<typeof SiteConnections>;

const connectionId = Type.String({ minLength: 1, maxLength: 100 });

export const ConnectionParams = Type.Object({ id: connectionId });

export const SiteConnectionParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The site' }),
  connection_id: connectionId,
});

export const connectionOperations = operations('connections', {
  listConnections: {
    route: 'GET /api/v1/user/connections',
    summary: 'What the caller allowed applications and agents, the newest first',
    requires: ['sites:read_all'],
    answers: { 200: Type.Array(Connection) },
  },

  endConnection: {
    route: 'DELETE /api/v1/user/connections/{id}',
    summary: 'Ends what the caller allowed a third party, at once and with all its tokens',
    requires: ['sites:write_all'],
    params: ConnectionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listSiteConnections: {
    route: 'GET /api/v1/sites/{id}/connections',
    summary: 'Which organizations and applications may read a site; for its owner and admins',
    requires: ['sites:read_all'],
    permission: 'connections',
    params: SiteParams,
    answers: { 200: SiteConnections },
    refusals: [404],
  },

  endSiteConnection: {
    route: 'DELETE /api/v1/sites/{id}/connections/{connection_id}',
    summary: 'Ends what somebody allowed an application for this site',
    requires: ['sites:write_all'],
    permission: 'connections',
    params: SiteConnectionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
