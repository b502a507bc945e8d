import { Transform, type TransformCallback } from 'node:stream';
import { AppError, type Clock } from '@heliograph/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BODY_LIMIT } from './bodies.ts';

/** A body at its pace ends within the time that a request may take. */
class ArrivingBody extends Transform {
  readonly #raw: FastifyRequest['raw'];
  readonly #bytes: number;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #startMs: number;
  #received = 0;

  /** @param bytes that it counts @param timeoutMs the time for a request */
  constructor(raw: FastifyRequest['raw'], bytes: number, timeoutMs: number, clock: Clock) {
    super();
    this.#raw = raw;
    this.#bytes = bytes;
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    // Nothing else listens after its end.
    this.on('error', () => undefined);
    raw.once('error', (error) => this.destroy(error));
    raw.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += chunk.length;
    done(null, chunk);
  }

  /** How long the body is behind its pace, in milliseconds; negative while it is faster. @param graceMs before its pace begins */
  lagMs(graceMs: number): number {
    const paceMs = (this.#received / this.#bytes) * (this.#timeoutMs - graceMs);
    return this.#clock.monotonic() - this.#startMs - graceMs - paceMs;
  }

  /** Drains the rest, so that the client receives the answer. @param reason fails who reads the body */
  stop(reason?: Error): void {
    this.#raw.unpipe(this);
    this.#raw.resume();
    this.destroy(reason);
  }
}

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

/** Seconds until a refused sender tries again. */
const RETRY_AFTER_S = 10;

/** Before a body must arrive at its pace: a connection may stall, in milliseconds. */
const GRACE_MS = 5_000;

/** Longest that a body is behind its pace while another one waits for its share, in milliseconds. */
const LAG_MS = 500;

/** How often bodies are looked at, in milliseconds. */
const INTERVAL_MS = 1_000;

/** A large body that is not read, or not to its end. */
export class BodyRefused extends AppError {
  readonly retryAfterS = RETRY_AFTER_S;

  constructor(status: 408 | 429 | 503, message: string) {
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

  /**
   * @param freeShare ends another body of the kind, unless there is none that may end
   * @returns a function that gives the bytes back @throws BodyRefused
   */
  take(sender: BodySender<Kind>, bytes: number, freeShare: () => boolean): () => void {
    const { kind } = sender;
    const { each, all } = this.#shares[kind];
    const key = keyOf(sender);
    const ofSender = (this.#ofSender.get(key) ?? 0) + bytes;
    if (ofSender > each) throw new BodyRefused(429, 'Wait for your other uploads');
    while ((this.#ofKind.get(kind) ?? 0) + bytes > all)
      if (!freeShare()) throw new BodyRefused(503, 'Too many uploads: try again later');
    this.#ofSender.set(key, ofSender);
    this.#ofKind.set(kind, (this.#ofKind.get(kind) ?? 0) + bytes);
    return () => {
      const left = (this.#ofSender.get(key) ?? 0) - bytes;
      if (left === 0) this.#ofSender.delete(key);
      else this.#ofSender.set(key, left);
      this.#ofKind.set(kind, (this.#ofKind.get(kind) ?? 0) - bytes);
    };
  }
}

function keyOf({ kind, id }: BodySender): string {
  return `${kind} ${id}`;
}

export interface BodyAdmissionOptions {
  /** How long a client may take to send a request, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Admits large bodies before they are read, and ends those that arrive too slowly. */
export class BodyAdmission<Kind extends string = string> {
  readonly #budget: BodyBudget<Kind>;
  readonly #senderOf: (request: FastifyRequest) => BodySender<Kind>;
  readonly #options: BodyAdmissionOptions;
  readonly #held = new WeakMap<FastifyRequest, HeldBody<Kind>>();
  readonly #arriving = new Set<HeldBody<Kind>>();
  /** When senders whose body was too slow may send another one, by the monotonic clock. */
  readonly #admittedAtMs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param senderOf the sender of a request that the guards admitted */
  constructor(
    shares: Readonly<Record<Kind, BodyShare>>,
    senderOf: (request: FastifyRequest) => BodySender<Kind>,
    options: BodyAdmissionOptions,
  ) {
    this.#budget = new BodyBudget(shares);
    this.#senderOf = senderOf;
    this.#options = options;
  }

  /**
   * Runs after the guards. The body counts until its connection ended and its handler is done, or it arrived too slowly.
   *
   * @returns the body; undefined where it is not a large one
   * @throws BodyRefused
   */
  admit(request: FastifyRequest, reply: FastifyReply, limit: number): ArrivingBody | undefined {
    const bytes = bodyBytes(request, limit);
    if (bytes === 0) return undefined;
    this.#look();
    const sender = this.#senderOf(request);
    if (this.#admittedAtMs.has(keyOf(sender))) throw new BodyRefused(429, 'Your last upload was too slow');
    const giveBack = this.#budget.take(sender, bytes, () => this.#endSlowest(sender.kind));
    const { timeoutMs, clock } = this.#options;
    const body = new ArrivingBody(request.raw, bytes, timeoutMs, clock);
    const held = new HeldBody(sender, body, giveBack);
    this.#held.set(request, held);
    this.#arriving.add(held);
    this.#timer ??= setInterval(() => this.#look(), INTERVAL_MS).unref();
    body.once('close', () => this.#arriving.delete(held));
    const close = () => {
      body.stop();
      held.release();
    };
    reply.raw.once('close', close);
    if (reply.raw.destroyed) close();
    return body;
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

  #look(): void {
    const nowMs = this.#options.clock.monotonic();
    for (const held of this.#arriving) if (held.body.lagMs(GRACE_MS) > 0) this.#end(held);
    for (const [sender, atMs] of this.#admittedAtMs) if (atMs <= nowMs) this.#admittedAtMs.delete(sender);
    if (this.#arriving.size > 0 || this.#admittedAtMs.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** @returns false where no body of the kind is slow */
  #endSlowest(kind: Kind): boolean {
    let slowest: { readonly held: HeldBody<Kind>; readonly lagMs: number } | undefined;
    for (const held of this.#arriving) {
      const lagMs = held.body.lagMs(0);
      if (held.sender.kind === kind && lagMs > (slowest?.lagMs ?? LAG_MS)) slowest = { held, lagMs };
    }
    if (slowest !== undefined) this.#end(slowest.held);
    return slowest !== undefined;
  }

  #end(held: HeldBody<Kind>): void {
    this.#arriving.delete(held);
    this.#admittedAtMs.set(keyOf(held.sender), this.#options.clock.monotonic() + RETRY_AFTER_S * 1000);
    held.body.stop(new BodyRefused(408, 'The body arrived too slowly'));
    held.giveBack();
  }
}

/** A body that counts until the last of its holders released it. */
class HeldBody<Kind extends string> {
  readonly sender: BodySender<Kind>;
  readonly body: ArrivingBody;
  readonly #giveBack: () => void;
  #holders = 1;
  #isCounted = true;

  constructor(sender: BodySender<Kind>, body: ArrivingBody, giveBack: () => void) {
    this.sender = sender;
    this.body = body;
    this.#giveBack = giveBack;
  }

  retain(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.giveBack();
  }

  /** Ends the count before its holders released it: the reader of the body dropped what arrived. */
  giveBack(): void {
    if (this.#isCounted) this.#giveBack();
    this.#isCounted = false;
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
