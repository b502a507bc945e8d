/**
 * Those of some times that a clock shows twice, where a change sets it back: without their offsets they read the same.
 *
 * @param times ISO 8601 with seconds and an offset
 */
export function repeatedTimes(times: readonly string[]): ReadonlySet<string> {
  const firsts = new Map<string, string>();
  const repeated = new Set<string>();
  for (const time of times) {
    const first = firsts.get(wallOf(time));
    if (first === undefined) firsts.set(wallOf(time), time);
    else repeated.add(first).add(time);
  }
  return repeated;
}

/** The offset of a time in ISO 8601, such as `+02:00`. */
export function offsetIn(time: string): string {
  return time.slice(WALL_LENGTH);
}

const WALL_LENGTH = '2026-10-25T02:00:00'.length;

function wallOf(time: string): string {
  return time.slice(0, WALL_LENGTH);
}
