import { type DeviceClient, type MetricStream, WriteFailed } from '@heliograph/client';
import { messageOf, wait } from '@heliograph/kit';
import type { Dice } from './dice.ts';
import type { WritePlan } from './write-plan.ts';
import type { Attempt } from './write-proof.ts';

/** How long the stream's writer waits between two writes, in milliseconds. */
const PAUSE_MS = 150;

/** A client of the live stream, as people use it: the SDK reconnects by itself. */
export class Follower {
  readonly #stream: MetricStream;
  readonly #faults: string[] = [];
  #received = 0;
  #interruptions = 0;
  #isLive = false;

  /** @param glob the topics that it follows, a group such as `total` */
  constructor(device: DeviceClient, group: string) {
    this.#stream = device.stream({
      topics: [`${group}/*`],
      onMetrics: (changes) => {
        this.#received += changes.length;
        const unexpected = changes.find(({ topic }) => !topic.startsWith(`${group}/`));
        if (unexpected !== undefined) this.#faults.push(`a stream of ${group} was sent ${unexpected.topic}`);
      },
      onStatus: ({ state }) => {
        this.#isLive = state === 'live';
        if (state === 'reconnecting') this.#interruptions += 1;
      },
    });
    this.#stream.ended.catch((error: unknown) => {
      this.#faults.push(`a stream of ${group} ended: ${messageOf(error)}`);
    });
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Values so far. */
  get received(): number {
    return this.#received;
  }

  get interruptions(): number {
    return this.#interruptions;
  }

  /** Broken rules, a sentence each. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Sets values in turn over the stream. */
  async write(
    { topic, values }: WritePlan,
    dice: Dice,
    attempts: Attempt[],
    signal: AbortSignal,
  ): Promise<void> {
    const order = dice.shuffled(values);
    for (let turn = 0; await wait(PAUSE_MS, signal); turn++) {
      if (!this.#isLive) continue;
      const value = order[turn % order.length] ?? 0;
      const startedAt = Date.now();
      const acknowledged = await this.#set(topic, value);
      attempts.push({ topic, value, startedAt, acknowledged });
    }
  }

  async close(): Promise<void> {
    this.#stream.close();
    await this.#stream.ended.catch(() => undefined);
  }

  async #set(topic: string, value: number): Promise<boolean> {
    try {
      await this.#stream.set(topic, value);
      return true;
    } catch (error) {
      if (error instanceof WriteFailed) return false;
      throw error;
    }
  }
}
