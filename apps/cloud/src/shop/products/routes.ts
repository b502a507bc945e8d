import { cloudOperations } from '@heliograph/contracts/operations';
import { portalOperations } from '@heliograph/contracts/operations/portal';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { ProductService } from './service.ts';
import type { ShopService } from './shops.ts';

export interface ProductRouteServices {
  readonly products: ProductService;
  readonly shops: ShopService;
}

export function productRoutes(api: Api, { products, shops }: ProductRouteServices): void {
  api.serve(cloudOperations.listProducts, (request) => products.list(callerOf(request), request.query));

  api.serve(cloudOperations.getProduct, (request) => products.show(callerOf(request), request.params.id));

  api.serve(portalOperations.getShop, (request) => shops.shopOf(callerOf(request), request.host));

  api.serve(portalOperations.getCatalogue, async (request) => ({
    text: await shops.exportCatalogue(callerOf(request), sellerIn(request.query)),
  }));

  api.serveBytes(portalOperations.previewCatalogue, (request) =>
    shops.previewCatalogue(callerOf(request), sellerIn(request.query), bytesOf(request.body)),
  );

  api.serveBytes(portalOperations.importCatalogue, (request) =>
    shops.importCatalogue(callerOf(request), sellerIn(request.query), bytesOf(request.body)),
  );
}

/** Null for the operator's own shop. */
function sellerIn({
  organization_id: id = null,
}: {
  readonly organization_id?: number | null;
}): number | null {
  return id;
}

function bytesOf(body: unknown): Uint8Array {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}
