/** The hardware cannot be reached, did not answer a read in time, or was not sent what it was to be sent. */
export class LinkDown extends Error {
  override readonly name = 'LinkDown';
}

/** A write left the house and no answer came back: it may or may not have been carried out. */
export class WriteUnanswered extends Error {
  override readonly name = 'WriteUnanswered';
}
