import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, Id } from '../common/schemas.ts';

export const PushKey = Type.Object({
  key: Type.String({
    description: 'The public key of the service (VAPID), base64url, for `applicationServerKey`',
  }),
});
export type PushKey = Static<typeof PushKey>;

/** A subscription as browsers give it. Source: https://www.w3.org/TR/push-api/. */
export const PushSubscriptionBody = Type.Object({
  endpoint: Type.String({
    maxLength: 1_000,
    pattern: '^https://\\S+$',
    examples: ['https://push.example.org/send/abc'],
  }),
  keys: Type.Object({
    p256dh: Type.String({
      pattern: '^[A-Za-z0-9_-]{87}=?$',
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
  }),
});
export type PushSubscriptionBody = Static<typeof PushSubscriptionBody>;

export const PushSubscriptionSummary = Type.Object({
  id: Type.Integer(),
  label: Type.String({ description: 'The browser and its system' }),
  created_at: DateTime,
});
export type PushSubscriptionSummary = Static<typeof PushSubscriptionSummary>;

export const PushSubscriptionParams = Type.Object({ id: Id });

export const pushOperations = operations('notifications', {
  getPushKey: {
    route: 'GET /api/v1/push_key',
    summary: 'The key with which a browser subscribes to messages',
    requires: 'session',
    answers: { 200: PushKey },
  },

  listPushSubscriptions: {
    route: 'GET /api/v1/user/push_subscriptions',
    summary: 'Lists the browsers that messages are pushed to, the newest first',
    requires: 'session',
    answers: { 200: Type.Array(PushSubscriptionSummary) },
  },

  addPushSubscription: {
    route: 'POST /api/v1/user/push_subscriptions',
    summary: 'Pushes messages to a browser from now on',
    description: 'The endpoint of a browser belongs to one account: the last one that adds it.',
    requires: 'session',
    body: PushSubscriptionBody,
    answers: { 201: PushSubscriptionSummary },
    refusals: [422],
  },

  removePushSubscription: {
    route: 'DELETE /api/v1/user/push_subscriptions/{id}',
    summary: 'Pushes no more messages to a browser',
    requires: 'session',
    params: PushSubscriptionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
