/** One live connection of a bus. It carries one request at a time and is of no use once it was lost. */
export interface Link {
  readonly alive: boolean;
  /** Resolves once it was dropped and the line can be opened again. */
  readonly released: Promise<void>;

  /**
   * How long after its last answer the other side closed it, in milliseconds; undefined while it is open, for one that ended
   * otherwise and for one without an answer.
   */
  readonly closedAfterAnswerMs?: number | undefined;

  /** Ends the connection; a request under way fails at once. */
  drop(): void;
}

/**
 * Called right before the bytes of a request are sent. It throws when they must not be sent any more; once it
 * has returned, the request may have been carried out.
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
