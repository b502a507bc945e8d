/** An invalid token. The message is for the log, never for the client. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}
