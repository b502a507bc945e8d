import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { knownRefusal, type Refusal, refuse } from '../http/refuse.ts';
import type { Connection } from './connection.ts';

/**
 * Requests of a connection under way at a time, as far as they do not come in one chunk. Node keeps the head of each until
 * its answer is sent, and has no limit for them.
 */
const MAX_PIPELINED = 8;
/** How long a client may take to read why its connection is closed, in milliseconds. */
const LINGER_MS = 1_000;

export const TOO_SLOW = knownRefusal({ status: 408, error: 'The request did not come in time' });
const MALFORMED = knownRefusal({ status: 400, error: 'Not a request of HTTP/1.1' });
const PROTOCOL_ERRORS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'The head of the request is too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: 'The extensions of a chunk are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

/** The answer to a protocol error of Node's parser; undefined: the connection is gone. */
export function protocolErrorOf({ code = '' }: NodeJS.ErrnoException): Refusal | undefined {
  if (/^E[A-Z]+$/.test(code)) return undefined;
  return PROTOCOL_ERRORS[code] ?? MALFORMED;
}

/** The requests and answers of one connection of HTTP/1.1. */
export class Http1Connection {
  readonly connection: Connection;
  readonly #socket: Socket;
  #answersDue = 0;
  #latest: { readonly req: IncomingMessage; readonly res: ServerResponse } | undefined;
  #isBroken = false;
  #ending = false;
  #isHeld = false;

  constructor(connection: Connection, socket: Socket) {
    this.connection = connection;
    this.#socket = socket;
  }

  /** Whether what comes no longer makes sense. Node's parser goes on to say so with all that still comes. */
  get broken(): boolean {
    return this.#isBroken;
  }

  /** @returns whether the request is to be served; not when the answer to one before is the last here */
  begin(req: IncomingMessage, res: ServerResponse): boolean {
    if (this.#latest?.res.shouldKeepAlive === false) this.#ending = true;
    if (this.#ending) {
      // Node keeps each that is ignored, behind the answers that are due.
      this.#hold();
      return false;
    }
    this.#answersDue++;
    if (this.#answersDue >= MAX_PIPELINED) this.#hold();
    this.#latest = { req, res };
    res.on('close', () => this.#answered(res));
    return true;
  }

  /** Sends the refusal, unless it would be read as the answer to another request, and closes the connection. */
  reject(refusal: Refusal): void {
    this.#isBroken = true;
    const latest = this.#latest;
    if (latest === undefined || this.#answersDue === 0) this.#respond(refusal);
    else if (!latest.req.complete) {
      // It was in the middle of this request. Where earlier ones wait for their answers, they get none.
      latest.res.shouldKeepAlive = false;
      if (this.#answersDue === 1) refuse(latest.req, latest.res, refusal);
      else this.#socket.destroy();
    }
    // Else every request came whole, and the connection ends after the last answer.
  }

  /** Reads nothing more for now. */
  #hold(): void {
    if (this.#isHeld && this.#socket.isPaused()) return;
    this.#isHeld = true;
    // Node starts to read again at the end of each request.
    process.nextTick(() => this.#isHeld && this.#socket.pause());
  }

  #answered(res: ServerResponse): void {
    this.#answersDue--;
    if (!res.shouldKeepAlive) this.#ending = true;
    if (this.#isHeld && this.#answersDue < MAX_PIPELINED && !this.#ending) {
      this.#isHeld = false;
      this.#socket.resume();
    }
    if (this.#answersDue > 0) return;
    this.#latest = undefined;
    if (this.#isBroken) this.#socket.destroySoon();
  }

  /** By hand, since there is no request that could have an answer. */
  #respond({ status, error }: Refusal): void {
    const socket = this.#socket;
    const body = JSON.stringify({ error });
    const head = [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // A close while there is something to read would destroy the answer on its way.
    const close = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(close));
  }
}
