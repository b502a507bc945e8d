import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { PaymentService } from './service.ts';

export function paymentRoutes(api: Api, payments: PaymentService): void {
  api.serve(cloudOperations.payOrder, (request) => payments.begin(callerOf(request), request.params.id));

  api.serveBytes(internalOperations.receiveStripeEvent, async (request) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { 'stripe-signature': signature = '' } = request.headers;
    await payments.receive('stripe', bytes, String(signature));
  });
}
