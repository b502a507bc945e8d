import { type Call, callJson, callText } from '../http/call.ts';

/** How long the cloud may take to answer, in milliseconds. */
const TIMEOUT_MS = 15_000;

export type CloudCall = Omit<Call, 'timeoutMs' | 'headers'>;

/** Makes requests to one cloud with one token. */
export class CloudConnection {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param url base URL of the cloud
   * @param token left out for the operations that take none
   */
  constructor(url: string, token?: string) {
    this.url = url.replace(/\/+$/, '');
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** @throws ApiError, ConnectionError, UnexpectedAnswer */
  async json(call: CloudCall): Promise<unknown> {
    return await callJson(this.url, this.#complete(call));
  }

  /** As {@link json}, where no answer but the status is of interest. */
  async done(call: CloudCall): Promise<void> {
    await callText(this.url, this.#complete(call));
  }

  #complete(call: CloudCall): Call {
    return { ...call, headers: this.#headers, timeoutMs: TIMEOUT_MS };
  }
}
