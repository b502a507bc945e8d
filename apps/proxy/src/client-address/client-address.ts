/** The trusted origin of a client's request. */
export interface ClientAddress {
  /** The client's address. */
  readonly address: string;
  /** The scheme that the client used. */
  readonly scheme: 'http' | 'https';
  /** Name of the proxy that passed the request on; undefined: it came from the client. */
  readonly relayedBy?: string;
  /** Key of the client's limits; undefined: not limited, or already limited by another proxy. */
  readonly network?: string | undefined;
  /** An untrusted peer sent forwarding headers such as X-Forwarded-For. */
  readonly isUntrustedForward?: boolean;
}
