/** A message was certainly not taken: it was refused, or the server was not reached. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  /** Whether the server would refuse it again. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}
