import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { DateTime, Id, MAX_ID, nullable } from '../common/schemas.ts';

export const DELEGATION_KINDS = [
  'webhook',
  'share',
  'application',
  'activation_code',
  'connection',
  'push',
  'ntfy',
  'telegram',
] as const;
export type DelegationKind = (typeof DELEGATION_KINDS)[number];

export const DELEGATION_SUSPENSIONS = ['token', 'role', 'account'] as const;
export type DelegationSuspension = (typeof DELEGATION_SUSPENSIONS)[number];

const named = { id: Type.Integer(), name: Type.String() };

/** Those in the configuration of a device, which reports, keeps and ends them. */
export const DEVICE_DELEGATIONS = ['device_mqtt', 'device_connection', 'device_setting_writes'] as const;

/** A right to act later on behalf of an account, an organization or a site, with its author. */
export const Delegation = Type.Object({
  id: nullable(
    Type.Integer({
      description: 'Null for one in the configuration of a device, which is kept or ended at the device',
    }),
  ),
  kind: Type.Enum([...DELEGATION_KINDS, ...DEVICE_DELEGATIONS], {
    description:
      'share: an organization may read the site; connection: a person allowed an application or an agent; push, ntfy, telegram: messages about alerts leave this way; device_mqtt, device_connection, device_setting_writes: clients of a broker write settings of the site, a connection may be written, a setting may be written more often',
  }),
  name: Type.String({
    description:
      'What it is called: of a share the organization, of push messages the browser, of a device the broker, the connection or the number of writes; empty where it has no name',
  }),
  url: nullable(Type.String({ description: 'Where a webhook sends events' })),
  organization: nullable(
    Type.Object(named, { description: 'Whose it is, or with which the site is shared' }),
  ),
  site: nullable(Type.Object({ id: Type.Integer(), name: nullable(Type.String()) })),
  author: nullable(
    Type.Object(
      { id: Type.Integer(), email: Type.String(), first_name: Type.String(), last_name: Type.String() },
      { description: 'The account that made it, or kept it; null where none is known' },
    ),
  ),
  credential: nullable(
    Type.Object(
      {
        id: Type.Integer(),
        kind: Type.Enum(['api', 'session', 'oauth', 'mcp']),
        name: nullable(Type.String({ description: 'Of an API token' })),
      },
      { description: 'With which its author made it; null where none is known' },
    ),
  ),
  state: Type.Enum(['active', 'suspended'], { description: 'suspended: it does nothing until it is kept' }),
  suspended_at: nullable(DateTime),
  suspended_for: nullable(
    Type.Enum([...DELEGATION_SUSPENSIONS], {
      description:
        'token: the API token that made it ended; role: its author lost the role; account: its author closes the account',
    }),
  ),
  created_at: DateTime,
  expires_at: nullable(DateTime),
});
export type Delegation = Static<typeof Delegation>;

export const DelegationParams = Type.Object({ id: Id });

export const SiteDelegationParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The site' }),
  delegation_id: Id,
});

export const DelegationsQuery = Type.Object({
  organization_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ID,
      description: 'Those of an organization, for its owners and admins',
    }),
  ),
});
export type DelegationsQuery = Static<typeof DelegationsQuery>;

export const EndDelegationsQuery = Type.Object({
  token_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Those alone that this credential made' }),
  ),
});
export type EndDelegationsQuery = Static<typeof EndDelegationsQuery>;

export const EndedDelegations = Type.Object({ ended: Type.Integer({ description: 'Their number' }) });
export type EndedDelegations = Static<typeof EndedDelegations>;

export const delegationOperations = operations('delegations', {
  listDelegations: {
    route: 'GET /api/v1/user/delegations',
    summary: 'What acts later on behalf of the caller, with its author, the newest first',
    description:
      'Those of the account, those that it made for organizations that it manages and for sites of its household, and those of them that are suspended and wait for a decision.',
    requires: 'session',
    query: DelegationsQuery,
    answers: { 200: Type.Array(Delegation) },
    refusals: [404],
  },

  endDelegation: {
    route: 'DELETE /api/v1/user/delegations/{id}',
    summary: 'Ends one of them for good',
    requires: 'session',
    params: DelegationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  endDelegations: {
    route: 'DELETE /api/v1/user/delegations',
    summary:
      "Ends for good the account's own and those that it made, or those that one session or API token made",
    requires: 'session',
    query: EndDelegationsQuery,
    answers: { 200: EndedDelegations },
  },

  keepDelegation: {
    route: 'POST /api/v1/user/delegations/{id}/keep',
    summary: 'Lets a suspended one act again, with the caller as its author',
    requires: 'fresh_session',
    params: DelegationParams,
    answers: { 200: Delegation },
    refusals: [404],
  },

  listSiteDelegations: {
    route: 'GET /api/v1/sites/{id}/delegations',
    summary: 'What has access to a site on behalf of others; for its owner and admins',
    requires: ['sites:read_all'],
    permission: 'connections',
    params: SiteParams,
    answers: { 200: Type.Array(Delegation) },
    refusals: [404],
  },

  endSiteDelegation: {
    route: 'DELETE /api/v1/sites/{id}/delegations/{delegation_id}',
    summary: 'Ends one of them for good',
    requires: ['sites:write_all'],
    permission: 'connections',
    params: SiteDelegationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  endSiteDelegations: {
    route: 'DELETE /api/v1/sites/{id}/delegations',
    summary: 'Ends all of them for good',
    requires: ['sites:write_all'],
    permission: 'connections',
    params: SiteParams,
    answers: { 200: EndedDelegations },
    refusals: [404],
  },

  keepSiteDelegation: {
    route: 'POST /api/v1/sites/{id}/delegations/{delegation_id}/keep',
    summary: 'Lets a suspended one act again, with the caller as its author',
    requires: 'fresh_session',
    permission: 'grant',
    params: SiteDelegationParams,
    answers: { 200: Delegation },
    refusals: [404],
  },
});
