import { DurationHistogram } from '@heliograph/telemetry';
import type { ClientRequest } from '../http/client.ts';
import { outcomeOf } from '../http/outcome.ts';
import { KNOWN_REFUSALS } from '../http/refuse.ts';

/** Reasons come from our own code, but some name what they were configured with: no more of them than this. */
const MAX_REASONS = 100;
const OTHER = 'other';

/** How often something happened, by reason. */
class ReasonCounts {
  readonly #counts: Map<string, number>;

  /** @param known reasons whose counts begin at 0, so that the first event is an increase */
  constructor(known: Iterable<string>) {
    this.#counts = new Map([...known].map((reason) => [reason, 0]));
  }

  add(reason: string): void {
    const key = this.#counts.has(reason) || this.#counts.size < MAX_REASONS ? reason : OTHER;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  [Symbol.iterator](): Iterator<[reason: string, count: number]> {
    return this.#counts.entries();
  }
}

/** Codes of Node and OpenSSL that scanners, and devices that do not trust a certificate, cause most. */
const TLS_FAILURES = [
  'ECONNRESET',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_NO_SHARED_CIPHER',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'unknown',
];

/** Codes of Node's parsers, and that of a missing header of the PROXY protocol. */
const PROTOCOL_ERRORS = [
  'ERR_HTTP2_ERROR',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'HPE_HEADER_OVERFLOW',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_HEADER_TOKEN',
  'HPE_INVALID_METHOD',
  'HPE_INVALID_VERSION',
  'PROXY_HEADER',
  'unknown',
];

export const ANSWERED_BY = ['device', 'proxy'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

/** Classes of a status by its first digit; the first is for requests whose client went away before there was one. */
export const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** The other end: a client, until the connection becomes a tunnel. */
export type ConnectionKind = 'client' | 'tunnel';

/** A connection whose bytes are counted. */
export interface CountedConnection {
  readonly kind: ConnectionKind;
  readonly socket: { readonly bytesRead: number; readonly bytesWritten: number };
}

/** Counters since the start: plain numbers, which cost requests next to nothing. */
export class Counters {
  /** Requests by who answered them and the class of the status. */
  readonly requests: Readonly<Record<AnsweredBy, number[]>> = {
    device: STATUS_CLASSES.map(() => 0),
    proxy: STATUS_CLASSES.map(() => 0),
  };
  readonly durations = new DurationHistogram();
  /** Requests and WebSockets that the proxy refused itself. */
  readonly refusals = new ReasonCounts(KNOWN_REFUSALS);
  /** Connections that broke before they spoke TLS. */
  readonly tlsFailures = new ReasonCounts(TLS_FAILURES);
  /** Connections that sent what is neither HTTP/1.1 nor HTTP/2. */
  readonly protocolErrors = new ReasonCounts(PROTOCOL_ERRORS);
  /** Connections that were closed at once, because there were far too many. */
  connectionsRejected = 0;
  /** Requests that other proxies passed on to this one. */
  relayedRequests = 0;
  /** Bytes of connections that are closed by now. */
  readonly closedBytes = { client: { in: 0, out: 0 }, tunnel: { in: 0, out: 0 } };

  /**
   * Counts a request that is over.
   *
   * @param status 0 when there was no answer
   */
  requestEnded(req: ClientRequest, status: number, ms: number): void {
    const outcome = outcomeOf(req);
    const classes = this.requests[outcome === 'forwarded' ? 'device' : 'proxy'];
    const index = Math.trunc(status / 100);
    classes[index] = (classes[index] ?? 0) + 1;
    if (typeof outcome === 'object') this.refusals.add(outcome.error);
    this.durations.observe(ms);
  }

  connectionClosed({ kind, socket }: CountedConnection): void {
    const bytes = this.closedBytes[kind];
    bytes.in += socket.bytesRead;
    bytes.out += socket.bytesWritten;
  }
}
