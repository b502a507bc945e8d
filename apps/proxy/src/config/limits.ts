import type { Env } from '@heliograph/kit';

/**
 * Limits per client and per site, so that one cannot slow down the others. A client is an IPv4 address or the /64 of an
 * IPv6 address.
 */
export interface ProxyLimits {
  /** How long a device may take from the end of a request to the beginning of its answer, in milliseconds. */
  readonly answerMs: number;
  /** How long an answer may take from its beginning to its end, in milliseconds. */
  readonly totalMs: number;
  /** The longest body of a request, in bytes. */
  readonly bodyBytes: number;
  /** A WebSocket without a byte in either direction is closed after so long, in milliseconds. */
  readonly idleMs: number;
  /** The longest head of a request, in bytes; beyond it 431. */
  readonly headBytes: number;
  /** How long a client may take to send the head of a request, or to agree on TLS, in milliseconds; then 408. */
  readonly headMs: number;
  /** How long a client may take to send a whole request, in milliseconds; then 408. */
  readonly bodyMs: number;
  /** How long a connection may wait for its next request, in milliseconds. */
  readonly keepAliveMs: number;
  /** Requests of one site under way at a time; beyond it 503. */
  readonly requestsPerSite: number;
  /** Requests of one client under way at a time; beyond it 429. */
  readonly requestsPerClient: number;
  /** Open WebSockets of one site; beyond it 503. */
  readonly webSocketsPerSite: number;
  /** Open WebSockets of one client; beyond it 429. */
  readonly webSocketsPerClient: number;
  /** Requests and WebSockets under way at a time on one connection of HTTP/2; beyond it streams are refused. */
  readonly streamsPerConnection: number;
  /** Open connections in all, tunnels too; beyond it none is taken. */
  readonly connections: number;
  /** Open connections of one client, tunnels not counted; beyond it 429. */
  readonly connectionsPerClient: number;
  /** New connections of one client per second, on average; beyond it 429. */
  readonly connectionRate: number;
  /** New connections that a client may open at once after a quiet while. */
  readonly connectionBurst: number;
}

/** The variable that sets a limit, what it is otherwise, and how many of the limit's unit one of the variable's is. */
interface Setting {
  readonly variable: string;
  readonly fallback: number;
  readonly unit?: number;
}

const SECONDS = 1000;

const SETTINGS: Readonly<Record<keyof ProxyLimits, Setting>> = {
  headBytes: { variable: 'PROXY_HEAD_BYTES', fallback: 16 * 1024 },
  headMs: { variable: 'PROXY_HEAD_S', fallback: 15, unit: SECONDS },
  bodyBytes: { variable: 'PROXY_BODY_BYTES', fallback: 1024 * 1024 },
  bodyMs: { variable: 'PROXY_BODY_S', fallback: 60, unit: SECONDS },
  answerMs: { variable: 'PROXY_ANSWER_S', fallback: 30, unit: SECONDS },
  totalMs: { variable: 'PROXY_TOTAL_S', fallback: 600, unit: SECONDS },
  // Clients of the live stream beat every 30 s.
  idleMs: { variable: 'PROXY_IDLE_S', fallback: 120, unit: SECONDS },
  keepAliveMs: { variable: 'PROXY_KEEP_ALIVE_S', fallback: 65, unit: SECONDS },
  requestsPerSite: { variable: 'PROXY_REQUESTS_PER_SITE', fallback: 256 },
  requestsPerClient: { variable: 'PROXY_REQUESTS_PER_CLIENT', fallback: 128 },
  webSocketsPerSite: { variable: 'PROXY_WEBSOCKETS_PER_SITE', fallback: 2_000 },
  webSocketsPerClient: { variable: 'PROXY_WEBSOCKETS_PER_CLIENT', fallback: 1_500 },
  streamsPerConnection: { variable: 'PROXY_STREAMS_PER_CONNECTION', fallback: 128 },
  connections: { variable: 'PROXY_CONNECTIONS', fallback: 100_000 },
  connectionsPerClient: { variable: 'PROXY_CONNECTIONS_PER_CLIENT', fallback: 4_000 },
  connectionRate: { variable: 'PROXY_CONNECTION_RATE', fallback: 50 },
  connectionBurst: { variable: 'PROXY_CONNECTION_BURST', fallback: 500 },
};

/** The largest number of seconds that a timer of Node can wait is a little more. */
const MAX_SECONDS = 2_000_000;

export const DEFAULT_LIMITS: ProxyLimits = limitsOf(({ fallback }) => fallback);

/** @throws ConfigError naming the variable that is not a whole number */
export function limitsFromEnv(env: Env): ProxyLimits {
  return limitsOf(({ variable, fallback, unit }) =>
    env.integer(variable, { fallback, min: 1, ...(unit === SECONDS ? { max: MAX_SECONDS } : {}) }),
  );
}

function limitsOf(read: (setting: Setting) => number): ProxyLimits {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    read(setting) * (setting.unit ?? 1),
  ]);
  return Object.fromEntries(entries) as ProxyLimits;
}
