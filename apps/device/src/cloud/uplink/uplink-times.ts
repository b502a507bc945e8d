import type { TunnelPings } from './tunnel.ts';

/** From the first to the second, in milliseconds. */
export interface DelayRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/** How long the uplink waits. */
export interface UplinkTimes {
  /** Between attempts when something cannot be reached: grows from the first to the second. */
  readonly retry: DelayRange;
  /** After a tunnel broke, until the same proxy is dialled again. */
  readonly redial: DelayRange;
  /** After a proxy's machine refused the connection, until it is tried once more: its process may be starting. */
  readonly redialAgain: DelayRange;
  /** How long a proxy's machine may be silent when it is dialled with a ticket of before. */
  readonly ticketDialMs: number;
  /** After the cloud rejected the device's credentials, which only a person can mend. */
  readonly rejectedRetryMs: number;
  /** A tunnel that lasted this long was a good one: what comes after it starts with the short waits again. */
  readonly stableMs: number;
  /** Between checks, while the tunnel is up, for something to report to the cloud; longer after failures. */
  readonly factCheck: DelayRange;
  /** The age at which a ticket is renewed. */
  readonly renew: DelayRange;
  /** Between a ping about revocations and the call to the cloud; more rarely when that fails. */
  readonly revocations: DelayRange;
  /** Between the beginnings of calls to the cloud that the proxy asks for, however often it does. */
  readonly requestedCallsApartMs: number;
  /** Between the proxy's request to move and the call to the cloud. */
  readonly move: DelayRange;
  /** Between attempts to move. */
  readonly moveRetry: DelayRange;
  /** How long the old tunnel stays beside the new one, until the new proxy has announced the device to the cloud. */
  readonly lingerMs: number;
  readonly pings?: TunnelPings;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Devices of a proxy that went down dial within three seconds of one another, not all in one instant; together with
 * a second dial a proxy that needs two seconds to start has its devices back within five.
 */
export const UPLINK_TIMES: UplinkTimes = {
  retry: { minMs: 1_000, maxMs: 60_000 },
  redial: { minMs: 250, maxMs: 2_500 },
  redialAgain: { minMs: 1_000, maxMs: 2_000 },
  ticketDialMs: 5_000,
  rejectedRetryMs: 5 * 60_000,
  stableMs: 10_000,
  factCheck: { minMs: 30_000, maxMs: 30 * 60_000 },
  // Long before the token expires: the cloud's answer also has the name of the site.
  renew: { minMs: 0.4 * DAY_MS, maxMs: 0.6 * DAY_MS },
  revocations: { minMs: 100, maxMs: 2_000 },
  requestedCallsApartMs: 5_000,
  move: { minMs: 100, maxMs: 1_000 },
  moveRetry: { minMs: 2_000, maxMs: 10 * 60_000 },
  lingerMs: 1_000,
};

/** Somewhere within the range, so that thousands of devices do not come in step. In milliseconds. */
export function jitterMs({ minMs, maxMs }: DelayRange): number {
  return minMs + Math.random() * (maxMs - minMs);
}
