import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { serveUseCases } from '../../http/use-cases.ts';
import { receiveNotification } from './notifications.ts';
import type { PayingPlatform } from './online.ts';
import { payOrder } from './pay-order.ts';

export function paymentRoutes(api: Api, platform: PayingPlatform): void {
  serveUseCases(api, platform, { payOrder });

  api.serveBytes(internalOperations.receiveStripeEvent, async (request) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { 'stripe-signature': signature = '' } = request.headers;
    await receiveNotification(platform, { provider: 'stripe', body, signature: String(signature) });
  });
}
