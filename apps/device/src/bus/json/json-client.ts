import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@heliograph/kit';
import type { Traffic } from '../bus.ts';
import { ConnectionQueue, type Dial } from '../connection-queue.ts';
import { LinkLost } from '../link.ts';
import type { HttpAnswer, HttpLink } from './http-link.ts';
import { type HttpLogin, HttpRefusal, type JsonBus } from './json-bus.ts';

/** Names of digest algorithms (RFC 7616, section 3.3) by Node's names of them. */
const HASHES: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', MD5: 'md5' };

/** A request of the hardware, with status 401, for the digest of a password. */
interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: 'SHA-256' | 'MD5';
  readonly opaque: string | undefined;
}

/** @param header `WWW-Authenticate` @returns undefined for any other scheme, algorithm or quality of protection */
export function digestChallenge(header: string): DigestChallenge | undefined {
  if (!/^Digest\s/i.test(header)) return undefined;
  const parameters = new Map(
    [...header.matchAll(/(?<![a-z])([a-z]+)=(?:"([^"\\]*)"|([^\s",]+))/gi)].map(
      ([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? ''],
    ),
  );
  const [realm, nonce, algorithm = 'MD5', qop = ''] = ['realm', 'nonce', 'algorithm', 'qop'].map((name) =>
    parameters.get(name),
  );
  const isKnown = algorithm === 'SHA-256' || algorithm === 'MD5';
  if (realm === undefined || nonce === undefined || !isKnown || !qop.split(/[\s,]+/).includes('auth'))
    return undefined;
  return { realm, nonce, algorithm, opaque: parameters.get('opaque') };
}

/** `Authorization` by RFC 7617. */
function basicAuthorization({ username, password }: HttpLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * `Authorization` of a GET by RFC 7616.
 *
 * @param count how many requests have used the challenge's nonce, this one included
 */
export function digestAuthorization(
  { realm, nonce, algorithm, opaque }: DigestChallenge,
  { username, password }: HttpLogin,
  path: string,
  count: number,
  clientNonce = randomBytes(16).toString('hex'),
): string {
  const hash = (text: string): string =>
    createHash(HASHES[algorithm] ?? '')
      .update(text)
      .digest('hex');
  const nc = count.toString(16).padStart(8, '0');
  const user = hash(`${username}:${realm}:${password}`);
  const response = hash(`${user}:${nonce}:${nc}:${clientNonce}:auth:${hash(`GET:${path}`)}`);
  const fields = [
    `username="${username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${path}"`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    `qop=auth`,
    `nc=${nc}`,
    `cnonce="${clientNonce}"`,
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ];
  return `Digest ${fields.join(', ')}`;
}

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
