import { clientRoutes } from '../common/client-routes.ts';
import { portalOperations } from './portal.ts';

/** Routes of the portal's own operations. */
export const portalRoutes = clientRoutes(portalOperations);
