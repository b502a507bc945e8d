import { portalOperations } from '@heliograph/contracts/operations/portal';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import { type CataloguePlatform, getCatalogue, importCatalogue, previewCatalogue } from './catalogues.ts';
import { getProduct, listProducts } from './products.ts';
import { getShop } from './shops.ts';

export function productRoutes(api: Api, platform: CataloguePlatform): void {
  serveUseCases(api, platform, { listProducts, getProduct });

  api.serve(portalOperations.getShop, (request) => getShop(platform, callerOf(request), request.host));

  api.serve(portalOperations.getCatalogue, (request) =>
    getCatalogue(platform, callerOf(request), sellerIn(request.query)),
  );

  api.serveBytes(portalOperations.previewCatalogue, (request) =>
    previewCatalogue(platform, callerOf(request), sellerIn(request.query), bytesOf(request.body)),
  );

  api.serveBytes(portalOperations.importCatalogue, (request) =>
    importCatalogue(platform, callerOf(request), sellerIn(request.query), bytesOf(request.body)),
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
