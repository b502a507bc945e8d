import { clientRoutes } from '../common/client-routes.ts';
import { cloudOperations } from './cloud.ts';

/** Routes of the cloud's operations. Pages are built with this value, and without the schemas behind it. */
export const cloudRoutes = clientRoutes(cloudOperations);
