import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { WebhookService } from './service.ts';

export function webhookRoutes(api: Api, webhooks: WebhookService): void {
  api.serve(cloudOperations.listWebhooks, (request) => webhooks.list(callerOf(request), request.query));

  api.serve(cloudOperations.createWebhook, (request) => webhooks.create(callerOf(request), request.body));

  api.serve(cloudOperations.getWebhook, (request) => webhooks.show(callerOf(request), request.params.id));

  api.serve(cloudOperations.updateWebhook, (request) =>
    webhooks.change(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.deleteWebhook, (request) =>
    webhooks.remove(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.replaceWebhookSecret, (request) =>
    webhooks.replaceSecret(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.testWebhook, (request) => webhooks.test(callerOf(request), request.params.id));

  api.serve(cloudOperations.replayWebhook, (request) =>
    webhooks.replay(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.listWebhookDeliveries, (request) =>
    webhooks.deliveries(callerOf(request), request.params.id, request.query),
  );
}
