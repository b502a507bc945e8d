import { Type } from 'typebox';
import {
  MessageRecipient,
  NotificationRecord,
  NotificationSettings,
  NotificationSettingsChange,
  NotificationsQuery,
  OneClick,
  PushKey,
  PushSubscriptionBody,
  PushSubscriptionParams,
  PushSubscriptionSummary,
  TestNotificationBody,
  UnsubscribePageQuery,
  UnsubscribeQuery,
} from '../schemas/notifications.ts';
import { OrganizationParams } from '../schemas/organizations.ts';
import { NoContent, operations } from './operation.ts';

export const notificationOperations = operations('notifications', {
  getNotificationSettings: {
    route: 'GET /api/v1/user/notification_settings',
    summary: 'Shows what the account is notified of, and how',
    requires: 'session',
    answers: { 200: NotificationSettings },
  },

  changeNotificationSettings: {
    route: 'PATCH /api/v1/user/notification_settings',
    summary: 'Changes what the account is notified of, and how',
    description: 'Tokens are stored encrypted and are not shown again.',
    requires: 'session',
    body: NotificationSettingsChange,
    answers: { 200: NotificationSettings },
    refusals: [422],
  },

  listNotifications: {
    route: 'GET /api/v1/user/notifications',
    summary: 'Lists the messages to the account of the last 30 days, the newest first',
    requires: 'session',
    query: NotificationsQuery,
    answers: { 200: Type.Array(NotificationRecord) },
  },

  testNotifications: {
    route: 'POST /api/v1/user/notifications/test',
    summary: 'Sends a message to the account by one channel',
    description:
      'It is in the list of messages, with its outcome. Refused with 422 where the channel is not set up.',
    requires: 'session',
    body: TestNotificationBody,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },

  showUnsubscribePage: {
    route: 'GET /api/v1/notification_mails/unsubscribe',
    summary: 'Leads to the page where a person ends the mails about alerts; changes nothing',
    description: 'For mail programs that open the address of the header List-Unsubscribe in a browser.',
    requires: 'nothing',
    query: UnsubscribePageQuery,
    answers: { 303: NoContent },
  },

  unsubscribeFromMails: {
    route: 'POST /api/v1/notification_mails/unsubscribe',
    summary: 'Ends the mails about alerts to the account of a token from one; needs no other token',
    description:
      'For mail programs, by one click of their reader (RFC 8058). Other channels stay as they are.',
    requires: 'nothing',
    query: UnsubscribeQuery,
    body: { content: { 'application/x-www-form-urlencoded': { schema: OneClick } } },
    isBodyOptional: true,
    answers: { 204: NoContent },
    refusals: [404],
  },

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

  listMessageRecipients: {
    route: 'GET /api/v1/organizations/{id}/message_recipients',
    summary: 'Which alerts of the sites of an organization reach which of its employees, by name',
    description:
      'For owners and admins of the organization. Each account makes these choices itself. 200 at most.',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    answers: { 200: Type.Array(MessageRecipient) },
    refusals: [404],
  },
});
