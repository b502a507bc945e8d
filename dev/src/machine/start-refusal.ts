/** The system cannot start. The message is one line, with the way to mend it. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
