import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { NotificationService } from './service.ts';

export function notificationRoutes(api: Api, notifications: NotificationService): void {
  api.serve(cloudOperations.getNotificationSettings, (request) => notifications.settings(callerOf(request)));

  api.serve(cloudOperations.changeNotificationSettings, (request) =>
    notifications.change(callerOf(request), request.body),
  );

  api.serve(cloudOperations.listMessageRecipients, (request) =>
    notifications.recipients(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.listNotifications, (request) =>
    notifications.list(callerOf(request), request.query),
  );

  api.serve(cloudOperations.testNotifications, async (request) => {
    await notifications.test(callerOf(request), request.body);
  });

  api.serve(cloudOperations.showUnsubscribePage, async (request, reply) => {
    // Behind `#`, where the token is in no log and no referrer.
    const token = encodeURIComponent(request.query.token ?? '');
    return reply.redirect(`/unsubscribe#${token}`, 303);
  });

  // Mail programs send a form.
  api.serveBytes(cloudOperations.unsubscribeFromMails, async (request) => {
    await notifications.unsubscribeMails(request.query.token);
  });

  api.serve(cloudOperations.getPushKey, async () => ({ key: await notifications.pushKey() }));

  api.serve(cloudOperations.listPushSubscriptions, (request) =>
    notifications.subscriptions(callerOf(request)),
  );

  api.serve(cloudOperations.addPushSubscription, (request) =>
    notifications.subscribe(callerOf(request), request.body, request.headers['user-agent']),
  );

  api.serve(cloudOperations.removePushSubscription, async (request) => {
    await notifications.unsubscribe(callerOf(request), request.params.id);
  });
}
