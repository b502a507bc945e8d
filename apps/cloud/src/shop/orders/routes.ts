import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import type { PurchaseService } from './purchases.ts';
import type { OrderService } from './service.ts';

export interface OrderRouteServices {
  readonly orders: OrderService;
  readonly purchases: PurchaseService;
}

export function orderRoutes(api: Api, { orders, purchases }: OrderRouteServices): void {
  api.serve(cloudOperations.listOrders, (request) => orders.list(callerOf(request), request.query));

  api.serve(cloudOperations.getOrder, (request) => orders.show(callerOf(request), request.params.id));

  api.serve(cloudOperations.markOrderPaid, (request) =>
    orders.markPaid(callerOf(request), request.params.id, request.body, idempotencyKeyOf(request)),
  );

  api.serve(cloudOperations.listOwnOrders, (request) => purchases.list(callerOf(request), request.query));

  api.serve(cloudOperations.placeOrder, (request) =>
    purchases.place(callerOf(request), request.body, idempotencyKeyOf(request)),
  );

  api.serve(cloudOperations.getOwnOrder, (request) => purchases.show(callerOf(request), request.params.id));

  api.serve(cloudOperations.cancelOwnOrder, (request) =>
    purchases.cancel(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.createOrderActivationCode, (request) =>
    purchases.makeActivationCode(callerOf(request), request.params.id),
  );
}
