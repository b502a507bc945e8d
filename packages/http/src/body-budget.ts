import { AppError } from '@heliograph/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BODY_LIMIT } from './bodies.ts';

/** The author of a request, whose bodies count together. */
export interface BodySender<Kind extends string = string> {
  readonly kind: Kind;
  readonly id: string;
}

/** Bytes of bodies in memory at a time. */
export interface BodyShare {
  /** Of one sender; at least the largest body of an operation. */
  readonly each: number;
  /** Of all senders of the kind. */
  readonly all: number;
}

/** Seconds until a refused sender tries again; a body arrives within the server's time for a request. */
const RETRY_AFTER_S = 10;

/** Too many large bodies are in memory: 429 when they are the sender's own, otherwise 503. */
export class BodiesInMemory extends AppError {
  readonly retryAfterS = RETRY_AFTER_S;

  constructor(status: 429 | 503) {
    const message = status === 429 ? 'Wait for your other uploads' : 'Too many uploads: try again later';
    super(message, { code: 'bodies', status, expose: true });
  }
}

/** Bounds the memory for large bodies: each kind of sender has its own share, so that none starves another. */
export class BodyBudget<Kind extends string> {
  readonly #shares: Readonly<Record<Kind, BodyShare>>;
  readonly #ofKind = new Map<Kind, number>();
  readonly #ofSender = new Map<string, number>();

  constructor(shares: Readonly<Record<Kind, BodyShare>>) {
    this.#shares = shares;
  }

  /** @returns a function that gives the bytes back, once @throws BodiesInMemory */
  take({ kind, id }: BodySender<Kind>, bytes: number): () => void {
    const { each, all } = this.#shares[kind];
    const key = `${kind} ${id}`;
    const ofSender = (this.#ofSender.get(key) ?? 0) + bytes;
    const ofKind = (this.#ofKind.get(kind) ?? 0) + bytes;
    if (ofSender > each) throw new BodiesInMemory(429);
    if (ofKind > all) throw new BodiesInMemory(503);
    this.#ofSender.set(key, ofSender);
    this.#ofKind.set(kind, ofKind);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.#ofSender.get(key) ?? 0) - bytes;
      if (left === 0) this.#ofSender.delete(key);
      else this.#ofSender.set(key, left);
      this.#ofKind.set(kind, (this.#ofKind.get(kind) ?? 0) - bytes);
    };
  }
}

/** Admits large bodies before they are read. */
export class BodyAdmission<Kind extends string = string> {
  readonly #budget: BodyBudget<Kind>;
  readonly #senderOf: (request: FastifyRequest) => BodySender<Kind>;
  readonly #held = new WeakMap<FastifyRequest, HeldBody>();

  /** @param senderOf the sender of a request that the guards admitted */
  constructor(
    shares: Readonly<Record<Kind, BodyShare>>,
    senderOf: (request: FastifyRequest) => BodySender<Kind>,
  ) {
    this.#budget = new BodyBudget(shares);
    this.#senderOf = senderOf;
  }

  /** Runs after the guards. The body counts until its connection ended and its handler is done. @throws BodiesInMemory */
  admit(request: FastifyRequest, reply: FastifyReply, limit: number): void {
    const bytes = bodyBytes(request, limit);
    if (bytes === 0) return;
    const held = new HeldBody(this.#budget.take(this.#senderOf(request), bytes));
    this.#held.set(request, held);
    reply.raw.once('close', () => held.release());
    if (reply.raw.destroyed) held.release();
  }

  /** Runs a handler, which has the body in memory after its connection broke, too. */
  async handle<T>(request: FastifyRequest, handler: () => T | Promise<T>): Promise<T> {
    const held = this.#held.get(request);
    held?.retain();
    try {
      return await handler();
    } finally {
      held?.release();
    }
  }
}

/** A body that counts until the last of its holders released it. */
class HeldBody {
  readonly #giveBack: () => void;
  #holders = 1;

  constructor(giveBack: () => void) {
    this.#giveBack = giveBack;
  }

  retain(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#giveBack();
  }
}

/**
 * The bytes that a body counts: at least those of an ordinary body, so that the number of bodies is bounded, too; all that
 * the operation allows where the length is unknown; none where there is no body, or it will be refused for its length.
 */
function bodyBytes({ headers, raw }: FastifyRequest, limit: number): number {
  if (raw.method === 'GET' || raw.method === 'HEAD') return 0;
  if (headers['transfer-encoding'] !== undefined) return limit;
  const length = Number(headers['content-length'] ?? 0);
  return length === 0 || length > limit ? 0 : Math.max(length, BODY_LIMIT);
}
