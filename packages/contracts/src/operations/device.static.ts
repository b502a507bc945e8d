import { clientRoutes } from './client-routes.ts';
import { deviceOperations } from './device.ts';

/** Routes of a device's operations. Pages are built with this value, and without the schemas behind it. */
export const deviceRoutes = clientRoutes(deviceOperations);
