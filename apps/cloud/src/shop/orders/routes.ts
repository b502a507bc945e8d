import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { getOrder, listOrders, markOrderPaid } from './orders.ts';

export function orderRoutes(api: Api, platform: Platform): void {
  serveUseCases(api, platform, { listOrders, getOrder });

  api.serve(cloudOperations.markOrderPaid, (request) =>
    markOrderPaid(platform, callerOf(request), request, idempotencyKeyOf(request)),
  );
}
