import { fieldMessages } from './error-message.ts';

/** The server answered, and refused. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Scheme and host that answered. */
  readonly origin: string;
  /** The answer's JSON body, empty when it had none; an unconfirmed sign-in finds its `pending_token` here. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds from the answer until another attempt is accepted; null if the answer has no `Retry-After`. */
  readonly retryAfterS: number | null;
  /** The request's id in the logs of cloud, proxy and device, to quote when it is reported; null if the answer has none. */
  readonly requestId: string | null;

  constructor(
    origin: string,
    status: number,
    message: string,
    body: Readonly<Record<string, unknown>> = {},
    retryAfterS: number | null = null,
    requestId: string | null = null,
  ) {
    super(message);
    this.origin = origin;
    this.status = status;
    this.body = body;
    this.retryAfterS = retryAfterS;
    this.requestId = requestId;
  }

  /** Why fields of the input were refused, by field; nested fields have dots in their names: `connections.0.bus`. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    return fieldMessages(this.body);
  }
}

/** No answer: the host is unknown, refuses connections, stays silent, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Scheme and host that could not be reached. */
  readonly origin: string;

  constructor(origin: string, reason: string, cause?: unknown) {
    super(`Cannot reach ${origin}: ${reason}`, { cause });
    this.origin = origin;
  }
}

/** Something answered that does not speak this API, such as a router's login page. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(origin: string, expected: string) {
    super(`${origin} did not answer with ${expected}: is the address right?`);
  }
}
