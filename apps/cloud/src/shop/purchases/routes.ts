import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { PayingPlatform } from '../payments/online.ts';
import { cancelOwnOrder, createOrderActivationCode, getOwnOrder, listOwnOrders } from './own-orders.ts';
import { placeOrder } from './place-order.ts';

export function purchaseRoutes(api: Api, platform: PayingPlatform): void {
  serveUseCases(api, platform, { listOwnOrders, getOwnOrder, cancelOwnOrder, createOrderActivationCode });

  api.serve(cloudOperations.placeOrder, (request) =>
    placeOrder(platform, callerOf(request), request, idempotencyKeyOf(request)),
  );
}
