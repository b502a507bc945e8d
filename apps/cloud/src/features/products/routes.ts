import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { ProductService } from './service.ts';

export function productRoutes(api: Api, products: ProductService): void {
  api.serve(cloudOperations.listProducts, (request) => products.list(callerOf(request), request.query));

  api.serve(cloudOperations.getProduct, (request) => products.show(callerOf(request), request.params.id));
}
