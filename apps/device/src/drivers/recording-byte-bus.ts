import type { ByteBus, FrameRule } from '../bus/byte-bus.ts';

/** An answer, and its request; hardware that sends of its own accord has none. */
export interface RecordedAnswerFrame {
  readonly request: Uint8Array | undefined;
  readonly response: Uint8Array;
}

/** A bus that keeps the last answer to each request, and refuses writes. */
export class RecordingByteBus implements ByteBus {
  readonly #bus: ByteBus;
  readonly #frames = new Map<string, RecordedAnswerFrame>();

  constructor(bus: ByteBus) {
    this.#bus = bus;
  }

  get name(): string {
    return this.#bus.name;
  }

  get traffic() {
    return this.#bus.traffic;
  }

  get roundTripMs(): number | null {
    return this.#bus.roundTripMs;
  }

  get closesAfterAnswers(): boolean {
    return this.#bus.closesAfterAnswers;
  }

  get recorded(): readonly RecordedAnswerFrame[] {
    return [...this.#frames.values()];
  }

  async read(request: Uint8Array, answer: FrameRule): Promise<Uint8Array> {
    return this.#keep(request, await this.#bus.read(request, answer));
  }

  async write(): Promise<never> {
    throw new Error('a recording writes nothing');
  }

  async listen(frame: FrameRule): Promise<Uint8Array> {
    return this.#keep(undefined, await this.#bus.listen(frame));
  }

  close(): Promise<void> {
    return this.#bus.close();
  }

  #keep(request: Uint8Array | undefined, response: Uint8Array): Uint8Array {
    const key = Buffer.from(request ?? []).toString('hex');
    this.#frames.delete(key);
    this.#frames.set(key, { request, response: response.slice() });
    return response;
  }
}
