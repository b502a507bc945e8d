/** A mail as it leaves the house. */
export interface Mail {
  /** The same at every try, so that a mail program takes a second copy for the first. */
  readonly id: string;
  readonly recipient: { readonly name: string; readonly address: string };
  /** Whose name the sender's address bears; null for the service's own. */
  readonly senderName: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What takes mails. */
export interface Transport {
  /**
   * Resolves once the mail is taken; the other side is then responsible for it.
   *
   * @throws RecipientRefused when no later try will do better; anything else is worth another try
   */
  deliver(mail: Mail, signal: AbortSignal): Promise<void>;
  /** Drops what is under way. */
  close(): void;
}

/** The mail server says, for good, that it does not deliver to this recipient. */
export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused';
  /** The recipient's domain, which may be logged where the address may not. */
  readonly domain: string;

  /** @param reason codes, without the server's words */
  constructor(reason: string, domain: string) {
    super(reason);
    this.domain = domain;
  }
}
