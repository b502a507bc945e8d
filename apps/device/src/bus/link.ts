/** One live connection of a bus. It carries one request at a time and is of no use once it was lost. */
export interface Link {
  readonly alive: boolean;
  /** Resolves once it was dropped and somebody else can have the line. */
  readonly released: Promise<void>;

  /** Ends the connection; a request under way fails at once. */
  drop(): void;
}

/**
 * Called right before the bytes of a request leave. It throws when they must not leave any more, and tells
 * whoever handed it over that, from here on, the request may have been carried out.
 */
export type Gate = () => void;

/** No trustworthy answer came. Whether the request was carried out depends on whether it passed its gate. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost';
  readonly reason: 'closed' | 'silent' | 'garbled';

  constructor(reason: LinkLost['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
