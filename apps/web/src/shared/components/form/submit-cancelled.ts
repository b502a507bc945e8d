/** A further question, such as a fresh sign-in, was closed instead of answered. No message is due. */
export class SubmitCancelled extends Error {
  override readonly name = 'SubmitCancelled';
}
