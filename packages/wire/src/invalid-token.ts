/** A token that opens nothing; the message is for the log and not for whoever showed it. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}
