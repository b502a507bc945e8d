import { Transform, type TransformCallback } from 'node:stream';
import type { Clock } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';

/** A body at its pace ends within the time that a request may take. */
export class ArrivingBody extends Transform {
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
