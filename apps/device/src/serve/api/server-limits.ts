/** The limits that the device's HTTP server grants a client on the network of the home. */
export interface ServerLimits {
  /** How long a client may take to send the head of a request, from the connection's beginning, in milliseconds. */
  readonly headMs: number;
  /** How long a client may take to send a whole request, in milliseconds. */
  readonly requestMs: number;
  /** Open connections in all; beyond it none is taken. */
  readonly connections: number;
  /** Open connections of one address; beyond it they are closed at once. */
  readonly connectionsPerAddress: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headMs: 15_000,
  requestMs: 30_000,
  connections: 2_000,
  connectionsPerAddress: 500,
};

/** How often Node looks for clients that are too slow, in milliseconds; as often as the limits ask for it. */
export function checkingIntervalMs({ headMs, requestMs }: ServerLimits): number {
  return Math.min(5_000, headMs, requestMs);
}
