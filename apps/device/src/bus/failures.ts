/** The hardware cannot be reached, did not answer a read in time, or was not sent what it was to be sent. */
export class LinkDown extends Error {
  override readonly name = 'LinkDown';
}

export interface WriteUnansweredOptions extends ErrorOptions {
  /** The reason for users, without names of lines and units. */
  readonly reason?: string;
}

/** A write left the house and no answer shows its outcome: it may or may not have been carried out. */
export class WriteUnanswered extends Error {
  override readonly name = 'WriteUnanswered';
  readonly reason: string;

  constructor(
    message: string,
    { reason = 'the hardware did not answer', ...options }: WriteUnansweredOptions = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}
