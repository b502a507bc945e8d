/** Where a client's request comes from, as far as it can be trusted. */
export interface ClientAddress {
  /** The client's address. */
  readonly address: string;
  /** What the client's address bar begins with. */
  readonly scheme: 'http' | 'https';
  /** Name of the proxy that passed the request on; undefined: it came from the client. */
  readonly relayedBy?: string;
  /** What its requests are counted under; undefined: they are not counted, or another proxy has counted them. */
  readonly network?: string | undefined;
  /** Whether somebody says that the request is another's, whom nobody here has reason to believe. */
  readonly isUntrustedForward?: boolean;
}
