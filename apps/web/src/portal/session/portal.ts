import { methodsOf } from '@heliograph/client/api';
import type { portalOperations } from '@heliograph/contracts/operations/portal';
import { portalRoutes } from '@heliograph/contracts/operations/portal.static';
import { fetchAsPageAccount } from './cloud.ts';

/** How long the cloud may take to answer, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Operations that make, show and end the session of this browser's cookie, and those of the consent page. */
export const portal = methodsOf<typeof portalOperations>(portalRoutes, {
  base: '',
  headers: {},
  timeoutMs: TIMEOUT_MS,
  retry: false,
  fetch: fetchAsPageAccount,
});
