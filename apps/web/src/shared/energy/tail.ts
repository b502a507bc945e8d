/** A live value behind the history of a curve; null is unknown. */
export interface TailPoint {
  /** Seconds since 1970. */
  readonly time: number;
  readonly value: number | null;
}

/** Live values since a page was opened, by topic. */
export type Tails = ReadonlyMap<string, readonly TailPoint[]>;

/** As many as ten minutes have: by then the past has been read again. */
const MAX_TAIL_POINTS = 60;

/** One more point for each topic; the oldest make room. */
export function extendTails(
  tails: Tails,
  time: number,
  values: readonly (readonly [topic: string, value: number | null])[],
): Tails {
  return new Map(
    values.map(([topic, value]) => [
      topic,
      [...(tails.get(topic) ?? []), { time, value }].slice(-MAX_TAIL_POINTS),
    ]),
  );
}
