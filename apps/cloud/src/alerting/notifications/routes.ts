import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import { listMessageRecipients, listNotifications, testNotifications } from './notifications.ts';
import {
  addPushSubscription,
  getPushKey,
  listPushSubscriptions,
  removePushSubscription,
} from './push-subscriptions.ts';
import {
  changeNotificationSettings,
  getNotificationSettings,
  type NotificationPlatform,
  unsubscribeFromMails,
} from './settings.ts';

export function notificationRoutes(api: Api, platform: NotificationPlatform): void {
  serveUseCases(api, platform, { getNotificationSettings, changeNotificationSettings });
  serveUseCases(api, platform, { listMessageRecipients, listNotifications, testNotifications });

  api.serve(cloudOperations.showUnsubscribePage, async (request, reply) => {
    // Behind `#`, where the token is in no log and no referrer.
    const token = encodeURIComponent(request.query.token ?? '');
    return reply.redirect(`/unsubscribe#${token}`, 303);
  });

  // Mail programs send a form.
  api.serveBytes(cloudOperations.unsubscribeFromMails, async (request) => {
    await unsubscribeFromMails(platform, request.query.token);
  });

  serveUseCases(api, platform, { getPushKey, listPushSubscriptions, removePushSubscription });

  api.serve(cloudOperations.addPushSubscription, (request) =>
    addPushSubscription(platform, callerOf(request), request, request.headers['user-agent']),
  );
}
