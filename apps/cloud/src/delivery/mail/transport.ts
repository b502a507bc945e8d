/** A complete mail. */
export interface Mail {
  /** The same at every try, so that mail programs recognize a second copy. */
  readonly id: string;
  readonly recipient: { readonly name: string; readonly address: string };
  /** Display name of the sender's address; null for the service's own. */
  readonly senderName: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An address at which a mail program ends mails of this kind with one click (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Of all mails about one thing, such as `ticket-9`: mail programs show them as one conversation. */
  readonly thread?: string;
}

export interface Transport {
  /**
   * Resolves once the receiving side has accepted the mail and its responsibility.
   *
   * @throws RecipientRefused when a retry is pointless; any other error is worth a retry
   */
  deliver(mail: Mail, signal: AbortSignal): Promise<void>;
  /** Aborts deliveries in progress. */
  close(): void;
}

/** The mail server permanently refuses the recipient. */
export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused';
  /** The recipient's domain, which may be logged where the address may not. */
  readonly domain: string;

  /** @param reason codes without the server's text */
  constructor(reason: string, domain: string) {
    super(reason);
    this.domain = domain;
  }
}
