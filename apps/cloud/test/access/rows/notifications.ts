import { randomBytes } from 'node:crypto';
import { emptyRequest, homeOrganization, uniqueName } from '../requests.ts';
import { accessRows } from '../row.ts';

export const NOTIFICATION_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
getNotificationSettings     any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
changeNotificationSettings  any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
listNotifications           any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
testNotifications           any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
getPushKey                  any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
listPushSubscriptions       any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
addPushSubscription         any         403      403      403      403      403      403      201      403      403      403      403      403      403      403      403      403      403      401
removePushSubscription      any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
listMessageRecipients       read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
`,
  {
    getNotificationSettings: { request: emptyRequest },
    changeNotificationSettings: { request: () => ({ body: { severity: 'warning' } }) },
    listNotifications: { request: emptyRequest },
    listMessageRecipients: { request: homeOrganization },
    testNotifications: { request: () => ({ body: { channel: 'mail' } }) },
    getPushKey: { request: emptyRequest },
    listPushSubscriptions: { request: emptyRequest },
    addPushSubscription: {
      request: () => ({
        body: {
          endpoint: `https://push.example.org/${uniqueName()}`,
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
        },
      }),
    },
    removePushSubscription: {
      request: async (_target, { cloud, owner }) => {
        const subscription = await cloud.db
          .insertInto('push_subscriptions')
          .values({
            user_id: owner.id,
            endpoint: `https://push.example.org/${uniqueName()}`,
            p256dh: randomBytes(65),
            auth: randomBytes(16),
            label: 'Firefox, Android',
            created_at: new Date(cloud.clock.now()),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { params: { id: subscription.id } };
      },
    },
  },
);
