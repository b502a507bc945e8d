import type { Clock } from '@heliograph/kit';
import type { Traffic } from './bus.ts';
import { ConnectionQueue, type Dial } from './connection-queue.ts';
import {
  basicAuthorization,
  type DigestChallenge,
  digestAuthorization,
  digestChallenge,
} from './http-authorization.ts';
import type { HttpAnswer, HttpLink } from './http-link.ts';
import { type HttpLogin, HttpRefusal, type JsonBus } from './json-bus.ts';
import { LinkLost } from './link.ts';

const UNAUTHORIZED = 401;

/** HTTP requests of JSON, one after the other. */
export class JsonClient implements JsonBus {
  readonly #queue: ConnectionQueue<HttpLink>;
  /** The challenge that requests are answered to without being asked again, and how many were. */
  #challenge: { readonly parameters: DigestChallenge; count: number } | undefined;

  constructor(name: string, dial: Dial<HttpLink>, clock: Clock) {
    this.#queue = new ConnectionQueue(name, dial, clock);
  }

  get name(): string {
    return this.#queue.name;
  }

  get traffic(): Traffic {
    return this.#queue.traffic;
  }

  get roundTripMs(): number | null {
    return this.#queue.roundTripMs;
  }

  get closesAfterAnswers(): boolean {
    return this.#queue.closesAfterAnswers;
  }

  async get(path: string, login?: HttpLogin): Promise<unknown> {
    const first = await this.#request(path, this.#authorization(path, login));
    if ('json' in first) return first.json;
    if (first.status !== UNAUTHORIZED || login === undefined) throw new HttpRefusal(first.status, path);
    this.#challenge = undefined;
    const parameters = first.challenge === undefined ? undefined : digestChallenge(first.challenge);
    if (login.scheme === 'digest' && parameters !== undefined) this.#challenge = { parameters, count: 0 };
    const authorization =
      login.scheme === 'basic' ? basicAuthorization(login) : this.#authorization(path, login);
    if (authorization === undefined) throw new HttpRefusal(first.status, path);
    const second = await this.#request(path, authorization);
    if ('json' in second) return second.json;
    this.#challenge = undefined;
    throw new HttpRefusal(second.status, path);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #authorization(path: string, login: HttpLogin | undefined): string | undefined {
    if (login?.scheme !== 'digest' || this.#challenge === undefined) return undefined;
    this.#challenge.count += 1;
    return digestAuthorization(this.#challenge.parameters, login, path, this.#challenge.count);
  }

  #request(
    path: string,
    authorization: string | undefined,
  ): Promise<{ readonly json: unknown } | HttpAnswer> {
    return this.#queue.read(async (link, gate) => {
      const answer = await link.get(path, authorization, gate);
      return answer.status === 200 ? { json: parsed(answer.body) } : answer;
    });
  }
}

/** @throws LinkLost */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new LinkLost('garbled', 'the answer is not JSON');
  }
}
