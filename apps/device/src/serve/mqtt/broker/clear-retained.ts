import type { BrokerConnection } from './broker-connection.ts';

export interface ClearRetainedOptions {
  /** Of this device: its discovery messages have it. */
  readonly uid: string;
  /** The status topic that this device holds `online` at present. */
  readonly liveStatus?: string | undefined;
  /** The broker is taken to have sent all that it holds once it was silent for this long, in milliseconds. */
  readonly quietMs: number;
}

const CONFIG = /\/config$/;
/** Matches the status topic below any prefix. */
export const STATUS = /\/status$/;

/**
 * Removes retained messages that this device published, once it has seen that they still are its own: a discovery message
 * with the identity of another device stays, and so does all below a prefix whose status another client holds `online`. A
 * broker whose rules forbid to listen shows nothing, and everything counts as its own.
 *
 * @returns the topics that were left to another
 * @throws SubscriptionUnanswered, before anything is removed; the library's error when the connection has ended
 */
export async function clearRetained(
  connection: BrokerConnection,
  topics: readonly string[],
  { uid, liveStatus, quietMs }: ClearRetainedOptions,
): Promise<readonly string[]> {
  const checked = topics.filter((topic) => CONFIG.test(topic) || STATUS.test(topic));
  const held = await connection.retained(checked, quietMs);
  const taken = checked
    .filter((topic) => STATUS.test(topic) && topic !== liveStatus && held.get(topic) === 'online')
    .map((topic) => topic.replace(STATUS, '/'));
  const isOthers = (topic: string): boolean => {
    const text = held.get(topic);
    if (CONFIG.test(topic)) return text !== undefined && !isConfigOf(uid, text);
    return taken.some((prefix) => topic.startsWith(prefix));
  };
  const own = topics.filter((topic) => !isOthers(topic));
  for (const [index, topic] of own.entries()) {
    // A broker that has the last one has those before it.
    const confirmed = index === own.length - 1;
    await connection.publish(topic, '', { retain: true, confirmed });
  }
  return topics.filter(isOthers);
}

function isConfigOf(uid: string, text: string): boolean {
  try {
    const { unique_id } = JSON.parse(text);
    return typeof unique_id === 'string' && unique_id.startsWith(`${uid}_`);
  } catch {
    return false;
  }
}
