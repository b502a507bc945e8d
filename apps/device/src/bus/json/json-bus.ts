import type { Bus } from '../bus.ts';

/**
 * Hardware that answers HTTP requests with JSON. Requests are made one at a time; nothing but the configured address is
 * ever requested, and redirects are refused.
 */
export interface JsonBus extends Bus {
  /**
   * Requests a path with GET.
   *
   * @param path such as `/rpc/EM.GetStatus?id=0`
   * @param login for hardware that answers 401 without
   * @returns the JSON of the answer
   * @throws HttpRefusal when the answer has another status than 200
   * @throws LinkDown when there is no connection, no answer in time, or one that is not JSON
   */
  get(path: string, login?: HttpLogin): Promise<unknown>;
}

export interface HttpLogin {
  readonly username: string;
  readonly password: string;
  /** The only scheme that the password is used in: `basic` sends it as it is, `digest` does not (RFC 7616). */
  readonly scheme: 'basic' | 'digest';
}

/** The hardware answered with a status other than 200. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;

  constructor(status: number, path: string) {
    super(`${path} answers ${status}`);
    this.status = status;
  }
}
