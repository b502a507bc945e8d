import { connectAsync, type MqttClient } from 'mqtt';
import { expect, vi } from 'vitest';

interface ReceivedMessage {
  readonly topic: string;
  readonly text: string;
  readonly retained: boolean;
}

/** A client such as people have: sees everything on a broker, and publishes. */
export class Watcher {
  readonly #client: MqttClient;
  /** Everything that came, in its order. */
  readonly received: ReceivedMessage[] = [];
  /** The newest of each topic; what was deleted is absent. */
  readonly latest = new Map<string, string>();
  /** Topics of which a message came as it was published. */
  readonly #live = new Set<string>();

  private constructor(client: MqttClient) {
    this.#client = client;
    client.on('message', (topic, payload, { retain }) => {
      const text = payload.toString();
      this.received.push({ topic, text, retained: retain });
      if (!retain) this.#live.add(topic);
      // A broker may send what lay there at the subscription after what was published since.
      else if (this.#live.has(topic)) return;
      if (text === '') this.latest.delete(topic);
      else this.latest.set(topic, text);
    });
  }

  static async connect(url: string): Promise<Watcher> {
    const client = await connectAsync(url, { reconnectPeriod: 0 });
    const watcher = new Watcher(client);
    await client.subscribeAsync('#', { qos: 1 });
    return watcher;
  }

  async publish(topic: string, text: string, options: { qos?: 0 | 1; retain?: boolean } = {}): Promise<void> {
    await this.#client.publishAsync(topic, text, { qos: 1, ...options });
  }

  /** Waits until a topic has a text; undefined until it has none. */
  async until(topic: string, text: string | undefined): Promise<void> {
    await until(() => expect([topic, this.latest.get(topic)]).toEqual([topic, text]));
  }

  /** All texts that a topic had, in their order. */
  textsOf(topic: string): readonly string[] {
    return this.received.filter((message) => message.topic === topic).map(({ text }) => text);
  }

  async close(): Promise<void> {
    await this.#client.endAsync(true);
  }
}

/** Waits until an assertion holds; looks more often than usual, since everything here is near. Only a failure takes all the time. */
export function until(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { interval: 5, timeout: 30_000 });
}
