import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { messageOf } from '@heliograph/kit';
import type { TrafficCounter } from '../bus.ts';
import { Deadline } from '../deadline.ts';
import { type Gate, type Link, LinkLost } from '../link.ts';

/** More than any meter answers, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;

export interface HttpAnswer {
  readonly status: number;
  /** `WWW-Authenticate`, where the answer has it. */
  readonly challenge: string | undefined;
  /** Empty unless the status is 200. */
  readonly body: string;
}

/** One TCP connection for one HTTP request: small hardware has few connections to spare, and forgets idle ones. */
export class HttpLink implements Link {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #timeoutMs: number;
  readonly #traffic: TrafficCounter;
  readonly released: Promise<void>;

  /** @param host with its port, as the `Host` header has it @param timeoutMs how long an answer may take, in milliseconds */
  constructor(socket: Socket, host: string, timeoutMs: number, traffic: TrafficCounter) {
    this.#socket = socket;
    this.#host = host;
    this.#timeoutMs = timeoutMs;
    this.#traffic = traffic;
    this.released = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  get alive(): boolean {
    return !this.#socket.destroyed;
  }

  drop(): void {
    this.#socket.destroy();
  }

  /** @throws LinkLost when no trustworthy answer came */
  async get(path: string, authorization: string | undefined, gate: Gate): Promise<HttpAnswer> {
    const outcome = Promise.withResolvers<HttpAnswer>();
    const fail = (reason: LinkLost['reason'], message: string): void =>
      outcome.reject(new LinkLost(reason, message));
    const deadline = new Deadline(this.#timeoutMs, () =>
      fail('silent', `no answer within ${this.#timeoutMs} ms`),
    );
    gate();
    this.#traffic.note('sent', Buffer.from(`GET ${path}`));
    const sent = request({
      createConnection: () => this.#socket,
      path,
      headers: {
        host: this.#host,
        accept: 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
    });
    sent.on('error', (error) => fail('closed', messageOf(error)));
    sent.on('response', (response) => {
      readAnswer(response).then(outcome.resolve, outcome.reject);
    });
    sent.end();
    try {
      const answer = await outcome.promise;
      // Bodies may name the network of the home: frames go into diagnostic bundles.
      this.#traffic.note('received', Buffer.from(`${answer.status}, ${answer.body.length} characters`));
      return answer;
    } finally {
      deadline.clear();
      sent.destroy();
      this.drop();
    }
  }
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response;
  const challenge = headers['www-authenticate'];
  if (status !== 200) return { status, challenge, body: '' };
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > MAX_BODY_BYTES) throw new Error(`the answer has more than ${MAX_BODY_BYTES} bytes`);
      parts.push(part);
    }
  } catch (error) {
    throw new LinkLost('garbled', messageOf(error));
  }
  return { status, challenge, body: Buffer.concat(parts).toString('utf8') };
}
