import type { RequestLimits } from '../forward/forward-request.ts';
import type { WebSocketLimits } from '../forward/forward-websocket.ts';

/** What one client or one site may take of the proxy, so that the others do not notice. */
export type ProxyLimits = RequestLimits & WebSocketLimits;

export const DEFAULT_LIMITS: ProxyLimits = {
  answerMs: 30_000,
  totalMs: 10 * 60_000,
  bodyBytes: 1024 * 1024,
  // Clients of the live stream beat every 30 s.
  idleMs: 120_000,
};
