import { MAX_STREAM_TOPICS } from '@heliograph/contracts';
import { compileGlob, DEFAULT_STREAM_TOPICS, MAX_GLOB_LENGTH } from '@heliograph/metrics';

/** How many topics one filter remembers the verdict of; there are a few hundred on a large system. */
const REMEMBERED_TOPICS = 10_000;

/** A glob and the shortest time between two updates of each topic it matches; 0 for no limit. */
export interface TopicRequest {
  readonly topic: string;
  readonly minIntervalMs: number;
}

/** A filter is invalid; the message is for the client. */
export class InvalidTopics extends Error {
  override readonly name = 'InvalidTopics';
}

/** Which topics a stream sends, and how often at most. */
export class TopicFilter {
  /** Equal for equal filters, so that what was encoded for one client serves all with the same. */
  readonly key: string;
  /** Whether any topic is limited in how often it is sent. */
  readonly limited: boolean;
  readonly #requests: readonly {
    readonly matches: (topic: string) => boolean;
    readonly intervalMs: number;
  }[];
  readonly #intervals = new Map<string, number | undefined>();

  constructor(requests: readonly TopicRequest[]) {
    this.key = JSON.stringify(requests.map(({ topic, minIntervalMs }) => [topic, minIntervalMs]));
    this.limited = requests.some(({ minIntervalMs }) => minIntervalMs > 0);
    this.#requests = requests.map(({ topic, minIntervalMs }) => ({
      matches: compileGlob(topic),
      intervalMs: minIntervalMs,
    }));
  }

  /**
   * The shortest time between two updates of the topic, in milliseconds, 0 for no limit; undefined when the
   * topic is not asked for. Of several globs that match, the least restrictive counts.
   */
  intervalMs(topic: string): number | undefined {
    if (this.#intervals.has(topic)) return this.#intervals.get(topic);
    const intervals = this.#requests
      .filter(({ matches }) => matches(topic))
      .map(({ intervalMs }) => intervalMs);
    const interval = intervals.length === 0 ? undefined : Math.min(...intervals);
    if (this.#intervals.size >= REMEMBERED_TOPICS) this.#intervals.clear();
    this.#intervals.set(topic, interval);
    return interval;
  }
}

export const DEFAULT_FILTER = new TopicFilter(
  DEFAULT_STREAM_TOPICS.map((topic) => ({ topic, minIntervalMs: 0 })),
);

/**
 * Reads `{"topics":[{"topic":"battery_1/voltage","max_frequency_s":10}]}`.
 *
 * `max_frequency_s` is, despite its name, the least number of seconds between two updates of one topic.
 *
 * @returns undefined when the payload names no topics
 * @throws InvalidTopics
 */
export function topicsOf(payload: Readonly<Record<string, unknown>>): TopicFilter | undefined {
  const { topics } = payload;
  if (topics === undefined || topics === null) return undefined;
  if (!Array.isArray(topics)) throw new InvalidTopics('topics must be a list');
  if (topics.length > MAX_STREAM_TOPICS)
    throw new InvalidTopics(`topics must have at most ${MAX_STREAM_TOPICS} entries, not ${topics.length}`);
  return new TopicFilter(topics.map(requestOf));
}

function requestOf(entry: unknown): TopicRequest {
  const fields: { topic?: unknown; max_frequency_s?: unknown } =
    typeof entry === 'object' && entry !== null ? entry : { topic: entry };
  const { topic, max_frequency_s: seconds } = fields;
  if (typeof topic !== 'string') throw new InvalidTopics('each of topics must have a topic, which is a text');
  if (topic.length > MAX_GLOB_LENGTH)
    throw new InvalidTopics(`a topic must have at most ${MAX_GLOB_LENGTH} characters, not ${topic.length}`);
  const limited = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
  return { topic, minIntervalMs: limited ? seconds * 1000 : 0 };
}
