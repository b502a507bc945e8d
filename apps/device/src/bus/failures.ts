/** The hardware cannot be reached, did not answer a read in time, or was not sent what it was to be sent. */
export class LinkDown extends Error {
  override readonly name = 'LinkDown';
}

/** Nothing was sent to hardware that can be reached: it is another one now, or too little time was left. */
export class WriteWithheld extends LinkDown {
  readonly kind: 'exchanged' | 'busy';
  /** The reason for users, without names of lines and units. */
  readonly reason: string;

  constructor(kind: WriteWithheld['kind'], reason: string, message = reason) {
    super(message);
    this.kind = kind;
    this.reason = reason;
  }
}

/** Why the outcome of a write is not known. */
export type UnansweredKind = 'no_answer' | 'damaged_answer' | 'not_read_back' | 'not_in_time';

export interface WriteUnansweredOptions extends ErrorOptions {
  /** `no_answer` when left out. */
  readonly kind?: UnansweredKind;
  /** The reason for users, without names of lines and units. */
  readonly reason?: string;
}

/** A write left the house and no answer shows its outcome: it may or may not have been carried out. */
export class WriteUnanswered extends Error {
  override readonly name = 'WriteUnanswered';
  readonly reason: string;
  readonly #kind: UnansweredKind;

  constructor(
    message: string,
    { reason = 'the hardware did not answer', kind = 'no_answer', ...options }: WriteUnansweredOptions = {},
  ) {
    super(message, options);
    this.#kind = kind;
    this.reason = reason;
  }

  get kind(): UnansweredKind {
    return this.#kind;
  }
}
