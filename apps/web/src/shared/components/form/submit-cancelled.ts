/** What was sent asked the person for something more, and they closed the question: they know, and nothing is wrong. */
export class SubmitCancelled extends Error {
  override readonly name = 'SubmitCancelled';
}
