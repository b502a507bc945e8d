/** The received bytes are no valid answer; the message gives the reason in plain words. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

/** The hardware answered, and refuses the request; the message gives the reason in plain words. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}
