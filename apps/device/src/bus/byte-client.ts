import type { Clock } from '@heliograph/kit';
import type { Traffic } from './bus.ts';
import type { ByteBus, FrameRule } from './byte-bus.ts';
import { ConnectionQueue, type Dial } from './connection-queue.ts';
import type { FrameLink } from './frame-link.ts';

const PEER_NAME = 'the hardware';

/** A line of bytes on which one thing happens at a time. */
export class ByteClient implements ByteBus {
  readonly #queue: ConnectionQueue<FrameLink>;

  constructor(name: string, dial: Dial<FrameLink>, clock: Clock) {
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

  read(request: Uint8Array, answer: FrameRule): Promise<Uint8Array> {
    return this.#queue.read((link, gate) => link.exchange({ request, answer, peerName: PEER_NAME }, gate));
  }

  write(request: Uint8Array, answer: FrameRule, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#queue.write(
      (link, gate) => link.exchange({ request, answer, peerName: PEER_NAME }, gate),
      signal,
    );
  }

  listen(frame: FrameRule): Promise<Uint8Array> {
    return this.#queue.read((link, gate) => link.listen(frame, gate));
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}
