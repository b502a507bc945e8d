import { Type } from 'typebox';
import { PageQuery } from '../schemas/page.ts';
import {
  ApproveRecoverySessionBody,
  ExtendRecoverySessionBody,
  OpenRecoverySessionBody,
  RecoveryEvent,
  RecoverySession,
  RecoverySessionListQuery,
  RecoverySessionParams,
} from '../schemas/recovery-sessions.ts';
import { SiteParams } from '../schemas/sites.ts';
import { NoContent, operations } from './operation.ts';

export const recoverySessionOperations = operations('recovery sessions', {
  openRecoverySession: {
    route: 'POST /api/v1/sites/{id}/recovery_sessions',
    summary: 'Opens a support recovery session, or requests one',
    description:
      'For an owner or admin of the site, signed in within the last 15 minutes, it is active at once; for API tokens, and for employees of its organization and operators, it is requested, for the owner to approve. A session of the same party that is open already is answered with 200.',
    requires: ['sites:recover_all'],
    params: SiteParams,
    body: OpenRecoverySessionBody,
    invalidFields: 422,
    answers: { 200: RecoverySession, 201: RecoverySession },
    refusals: [404, 429],
  },

  listSiteRecoverySessions: {
    route: 'GET /api/v1/sites/{id}/recovery_sessions',
    summary: 'Lists the support recovery sessions of a site, the newest first',
    requires: ['sites:recover_all', 'sites:read_all'],
    params: SiteParams,
    query: PageQuery,
    answers: { 200: Type.Array(RecoverySession) },
    refusals: [404],
  },

  getRecoverySession: {
    route: 'GET /api/v1/sites/{id}/recovery_sessions/{session_id}',
    summary: 'Shows a support recovery session',
    requires: ['sites:recover_all', 'sites:read_all'],
    params: RecoverySessionParams,
    answers: { 200: RecoverySession },
    refusals: [404],
  },

  listRecoverySessionEvents: {
    route: 'GET /api/v1/sites/{id}/recovery_sessions/{session_id}/events',
    summary: 'Lists who read and changed what in a support recovery session, the newest first',
    requires: ['sites:recover_all', 'sites:read_all'],
    params: RecoverySessionParams,
    query: PageQuery,
    answers: { 200: Type.Array(RecoveryEvent) },
    refusals: [404],
  },

  approveRecoverySession: {
    route: 'POST /api/v1/sites/{id}/recovery_sessions/{session_id}/approve',
    summary: 'Lets support in, after a sign-in within the last 15 minutes',
    requires: 'fresh_session',
    params: RecoverySessionParams,
    body: ApproveRecoverySessionBody,
    isBodyOptional: true,
    invalidFields: 422,
    answers: { 200: RecoverySession },
    refusals: [404],
  },

  declineRecoverySession: {
    route: 'POST /api/v1/sites/{id}/recovery_sessions/{session_id}/decline',
    summary: 'Declines a request of support',
    requires: ['sites:recover_all'],
    params: RecoverySessionParams,
    answers: { 200: RecoverySession },
    refusals: [404, 422],
  },

  extendRecoverySession: {
    route: 'POST /api/v1/sites/{id}/recovery_sessions/{session_id}/extend',
    summary: 'Extends an active session, after a sign-in within the last 15 minutes',
    requires: 'fresh_session',
    params: RecoverySessionParams,
    body: ExtendRecoverySessionBody,
    invalidFields: 422,
    answers: { 200: RecoverySession },
    refusals: [404],
  },

  endRecoverySession: {
    route: 'DELETE /api/v1/sites/{id}/recovery_sessions/{session_id}',
    summary: 'Ends a support recovery session at once, or withdraws its request',
    description:
      'Connections to the device are closed within seconds. One that is over already stays as it is.',
    requires: ['sites:recover_all'],
    params: RecoverySessionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listRecoverySessions: {
    route: 'GET /api/v1/recovery_sessions',
    summary: 'Lists the support recovery sessions that let the caller in, the newest first',
    requires: ['sites:recover_all'],
    query: RecoverySessionListQuery,
    answers: { 200: Type.Array(RecoverySession) },
  },
});
