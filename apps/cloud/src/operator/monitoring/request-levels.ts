import { internalOperations } from '@heliograph/contracts/operations';
import type { EndedRequest } from '@heliograph/telemetry';

const { announceProxy, announceProxyChanges, connectDevice, locateSite, locateSiteByName } =
  internalOperations;

/** Requests that machines repeat every few seconds, and files of pages: they get a line only when they fail. */
const FREQUENT: ReadonlySet<string> = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /.well-known/jwks.json',
  'GET /assets/*',
  ...[announceProxy, announceProxyChanges, connectDevice, locateSite, locateSiteByName].map(({ route }) =>
    route.replace(/\{(\w+)\}/g, ':$1'),
  ),
]);

/** The level of a request's line. */
export function levelOfRequests({ method, route, status }: EndedRequest): 'debug' | 'info' {
  return status < 400 && FREQUENT.has(`${method} ${route}`) ? 'debug' : 'info';
}
