import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';

/** Kinds of belongings that an account has to give away before it can be deleted. */
export const DELETION_OBSTACLES = ['site', 'organization', 'order', 'operator'] as const;
export type DeletionObstacleKind = (typeof DELETION_OBSTACLES)[number];

export const DeletionObstacle = Type.Object({
  kind: Type.Enum([...DELETION_OBSTACLES], {
    description:
      'site: one that the account owns. organization: one whose only owner it is. order: one that is open. operator: the ' +
      'account is the only operator of the service',
  }),
  id: nullable(Type.Integer({ description: 'Null for operator' })),
  name: nullable(
    Type.String({ description: 'The name, or the number of an order; null where there is none' }),
  ),
});
export type DeletionObstacle = Static<typeof DeletionObstacle>;

export const AccountDeletion = Type.Object({
  due_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the account is deleted; until then this can be taken back. Null: not requested',
    }),
  ),
  requested_at: nullable(DateTime),
  obstacles: Type.Array(DeletionObstacle, { description: 'Nothing is deleted while there is one' }),
});
export type AccountDeletion = Static<typeof AccountDeletion>;

export const accountDeletionOperations = operations('accounts', {
  getAccountDeletion: {
    route: 'GET /api/v1/user/deletion',
    summary: 'Shows whether the account is to be deleted, and what stands in the way',
    requires: 'session',
    answers: { 200: AccountDeletion },
  },

  requestAccountDeletion: {
    route: 'POST /api/v1/user/deletion',
    summary: 'Deletes the account after seven days',
    description:
      'Other sessions, API tokens and connections of the account end at once, and do not come back if the request is taken back. A repetition changes nothing.',
    requires: 'fresh_session',
    answers: { 200: AccountDeletion },
    refusals: [422],
  },

  cancelAccountDeletion: {
    route: 'DELETE /api/v1/user/deletion',
    summary: 'Keeps the account that was to be deleted',
    requires: 'session',
    answers: { 204: NoContent },
    refusals: [404],
  },
});
