import type { Clock } from '@heliograph/kit';
import type { SendOptions, Traffic } from './bus.ts';
import type { ByteBus, FrameRule } from './byte-bus.ts';
import { ConnectionQueue, type Dial } from './connection-queue.ts';
import type { FrameLink } from './frame-link.ts';

const PEER_NAME = 'the hardware';

/** A line of bytes on which one thing happens at a time. */
export class ByteClient implements ByteBus {
  readonly #queue: ConnectionQueue<FrameLink>;
  readonly #answerTimeoutMs: number | undefined;

  /** @param answerTimeoutMs how long an answer may take, in milliseconds; what its rule allows when left out */
  constructor(name: string, dial: Dial<FrameLink>, clock: Clock, answerTimeoutMs?: number) {
    this.#queue = new ConnectionQueue(name, dial, clock);
    this.#answerTimeoutMs = answerTimeoutMs;
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

  read(request: Uint8Array, rule: FrameRule): Promise<Uint8Array> {
    const answer = this.#answerRule(rule);
    return this.#queue.read((link, gate) => link.exchange({ request, answer, peerName: PEER_NAME }, gate));
  }

  write(request: Uint8Array, rule: FrameRule, options?: SendOptions): Promise<Uint8Array> {
    const answer = this.#answerRule(rule);
    return this.#queue.write(
      (link, gate) => link.exchange({ request, answer, peerName: PEER_NAME }, gate),
      options,
    );
  }

  listen(frame: FrameRule): Promise<Uint8Array> {
    return this.#queue.read((link, gate) => link.listen(frame, gate));
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #answerRule(rule: FrameRule): FrameRule {
    const timeoutMs = this.#answerTimeoutMs;
    return timeoutMs === undefined ? rule : { ...rule, timeoutMs };
  }
}
