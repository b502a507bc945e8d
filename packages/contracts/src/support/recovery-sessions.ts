import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { SiteParams } from '../common/params.ts';
import { DateTime, Id, MAX_ID, nullable } from '../common/schemas.ts';
import { PlainLines } from '../text/plain-text.ts';

/** An unanswered request lapses, which is `expired` as well. */
export const RECOVERY_STATES = ['requested', 'active', 'declined', 'expired', 'ended'] as const;
export type RecoveryState = (typeof RECOVERY_STATES)[number];

/** Each has the one before. `settings`: those of the inverter, whose change is immediate and has no undo. */
export const RECOVERY_ACCESSES = ['diagnose', 'repair', 'settings'] as const;
export type RecoverySessionAccess = (typeof RECOVERY_ACCESSES)[number];

export const RECOVERY_PARTIES = ['organization', 'operator'] as const;
export type RecoveryPartyKind = (typeof RECOVERY_PARTIES)[number];

export const RECOVERY_END_REASONS = [
  'owner',
  'support',
  'device',
  'time',
  'transfer',
  'access_lost',
  'ticket_closed',
] as const;
export type RecoveryEndReason = (typeof RECOVERY_END_REASONS)[number];

/** Hours of a session. */
export const MAX_RECOVERY_HOURS = 72;
export const DEFAULT_RECOVERY_HOURS = 24;

/** Events of a session: all but the first are reported by the device. */
export const RECOVERY_EVENT_KINDS = [
  'joined',
  'configuration_read',
  'links_read',
  'settings_log_read',
  'diagnostics_read',
  'configuration_changed',
  'probe_started',
  'device_restarted',
  'password_removed',
  'setting_written',
] as const;
export type RecoveryEventKind = (typeof RECOVERY_EVENT_KINDS)[number];

/** Those that `changes` counts, where they succeeded. */
export const RECOVERY_CHANGES: readonly RecoveryEventKind[] = [
  'configuration_changed',
  'device_restarted',
  'password_removed',
  'setting_written',
];

const Hours = Type.Integer({ minimum: 1, maximum: MAX_RECOVERY_HOURS });
const Person = Type.Object({ id: Type.Integer(), name: Type.String() });
const Access = Type.Enum([...RECOVERY_ACCESSES], { description: 'Each has the one before' });

export const RecoverySession = Type.Object({
  id: Type.Integer(),
  site: Type.Object({ id: Type.Integer(), name: nullable(Type.String()) }),
  state: Type.Enum([...RECOVERY_STATES]),
  access: Access,
  reason: Type.String({ description: 'Plain text' }),
  ticket_id: nullable(Type.Integer()),
  party: Type.Object(
    { organization: nullable(Type.Object({ id: Type.Integer(), name: Type.String() })) },
    { description: "Who is let in: an organization, or with null the operator's staff" },
  ),
  requested_by: nullable(Person),
  approved_by: nullable(Person),
  ended_by: nullable(Person),
  participants: Type.Array(
    Type.Object({ id: Type.Integer(), name: Type.String(), first_at: DateTime, last_at: DateTime }),
    { description: 'Who of the party used it' },
  ),
  hours: Type.Integer({ description: 'As requested' }),
  requested_at: DateTime,
  request_expires_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When a request lapses; null for one that the owner opened',
    }),
  ),
  opened_at: nullable(DateTime),
  expires_at: nullable(DateTime),
  ended_at: nullable(
    Type.String({ format: 'date-time', description: 'Also of a declined or an expired one' }),
  ),
  end_reason: nullable(Type.Enum([...RECOVERY_END_REASONS])),
  changes: Type.Integer({ description: 'Changes of configuration and settings that were made in it' }),
});
export type RecoverySession = Static<typeof RecoverySession>;

export const RecoveryEvent = Type.Object({
  id: Type.Integer(),
  at: DateTime,
  kind: Type.String({
    description: `${RECOVERY_EVENT_KINDS.join(', ')}, or one of a device that is newer than the cloud`,
    examples: ['setting_written'],
  }),
  user: nullable(Person),
  subject: nullable(Type.String({ description: 'What it was about, such as a setting and its value' })),
  succeeded: Type.Boolean(),
});
export type RecoveryEvent = Static<typeof RecoveryEvent>;

export const RecoverySessionParams = Type.Object({ id: Id, session_id: Id });

export const OpenRecoverySessionBody = Type.Object({
  reason: PlainLines({ minLength: 10, maxLength: 500, description: 'For the owner to read' }),
  access: Type.Optional(Type.Enum([...RECOVERY_ACCESSES], { default: 'diagnose' })),
  hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_RECOVERY_HOURS, default: DEFAULT_RECOVERY_HOURS }),
  ),
  ticket_id: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ID,
        description:
          'What it is about: a ticket that the caller sees, about this site, or without a site by one of its members',
      }),
    ),
  ),
  party: Type.Optional(
    Type.Enum([...RECOVERY_PARTIES], {
      description:
        "Who is to be let in; left out: the site's organization, or the operator where the site has none or the caller is no employee of it",
    }),
  ),
});
export type OpenRecoverySessionBody = Static<typeof OpenRecoverySessionBody>;

export const ApproveRecoverySessionBody = Type.Object({
  access: Type.Optional(
    Type.Enum([...RECOVERY_ACCESSES], {
      description: 'No more than requested. Left out: as requested, but settings only where it is named',
    }),
  ),
  hours: Type.Optional(
    Type.Integer({ ...Hours, description: 'No more than requested, which is the default' }),
  ),
});
export type ApproveRecoverySessionBody = Static<typeof ApproveRecoverySessionBody>;

export const ExtendRecoverySessionBody = Type.Object({
  hours: Type.Integer({ ...Hours, description: 'In addition; at most seven days in all' }),
});
export type ExtendRecoverySessionBody = Static<typeof ExtendRecoverySessionBody>;

export const RecoverySessionListQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Words of which each begins a word of the reason or the name of the site, and filters written key:value. Keys ' +
        'are state, site_id, ticket_id, user_id, opened_after, and organization_id (an id, or none for the operator)',
    }),
  ),
});
export type RecoverySessionListQuery = Static<typeof RecoverySessionListQuery>;

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
