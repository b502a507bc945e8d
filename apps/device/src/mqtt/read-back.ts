import type { BrokerConnection } from './broker-connection.ts';

const CONFIG = /\/config$/;

export interface ReadBackOptions {
  /** The messages that the broker was given, by topic. */
  readonly published: ReadonlyMap<string, string>;
  readonly statusTopic: string;
  /** The broker is taken to have sent all that it holds once it was silent for this long, in milliseconds. */
  readonly quietMs: number;
}

/**
 * Reads back what was published, since a broker does not say that it drops a message: MQTT 3.1.1 has no answer for that.
 *
 * @returns what is wrong; undefined where nothing is
 * @throws the library's error when the connection ends
 */
export async function unreadable(
  connection: BrokerConnection,
  { published, statusTopic, quietMs }: ReadBackOptions,
): Promise<string | undefined> {
  const configs = [...published]
    .filter(([topic]) => CONFIG.test(topic))
    .toSorted(([, one], [, other]) => one.length - other.length)
    .map(([topic]) => topic);
  const [short, long] = [configs[0], configs.at(-1)];
  const topics = [...new Set([statusTopic, ...(short && long ? [short, long] : [])])];
  const held = await connection.retained(topics, quietMs);
  if (held.size === 0) {
    return `the broker takes what the device publishes, and passes none of it on: its rules refuse ${statusTopic} to this client, for publishing or for reading`;
  }
  if (short && long && !held.has(long)) {
    const bytes = Buffer.byteLength(published.get(long) ?? '');
    if (!held.has(short)) {
      return `none of the announcements to Home Assistant can be read back: the broker's rules refuse ${short} to this client, or it keeps no message of ${Buffer.byteLength(published.get(short) ?? '')} bytes`;
    }
    return `the broker keeps no message of ${bytes} bytes, so entities are missing in Home Assistant: it limits the length of messages`;
  }
  return undefined;
}
