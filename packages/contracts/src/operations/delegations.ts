import { Type } from 'typebox';
import {
  Delegation,
  DelegationParams,
  DelegationsQuery,
  EndDelegationsQuery,
  EndedDelegations,
  SiteDelegationParams,
} from '../schemas/delegations.ts';
import { SiteParams } from '../schemas/sites.ts';
import { NoContent, operations } from './operation.ts';

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
    params: SiteParams,
    answers: { 200: Type.Array(Delegation) },
    refusals: [404],
  },

  endSiteDelegation: {
    route: 'DELETE /api/v1/sites/{id}/delegations/{delegation_id}',
    summary: 'Ends one of them for good',
    requires: ['sites:write_all'],
    params: SiteDelegationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  endSiteDelegations: {
    route: 'DELETE /api/v1/sites/{id}/delegations',
    summary: 'Ends all of them for good',
    requires: ['sites:write_all'],
    params: SiteParams,
    answers: { 200: EndedDelegations },
    refusals: [404],
  },

  keepSiteDelegation: {
    route: 'POST /api/v1/sites/{id}/delegations/{delegation_id}/keep',
    summary: 'Lets a suspended one act again, with the caller as its author',
    requires: 'fresh_session',
    params: SiteDelegationParams,
    answers: { 200: Delegation },
    refusals: [404],
  },
});
