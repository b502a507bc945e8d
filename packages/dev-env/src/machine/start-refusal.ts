/** Why the system cannot start, as one line that tells the user what to do. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
