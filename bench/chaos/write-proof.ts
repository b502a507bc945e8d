/** A write as its client saw it, with however many repetitions of what was refused unsent. */
export interface Attempt {
  readonly topic: string;
  readonly value: number;
  /** Milliseconds since the epoch, as all times here. */
  readonly startedAt: number;
  /** Whether the client got the answer that the hardware has taken the value. */
  readonly acknowledged: boolean;
}

/** A write as the hardware, or the device's own log, saw it. */
export interface Witnessed {
  readonly topic: string;
  readonly value: number;
  readonly at: number;
}

export interface Witness {
  /** The source of the writes, such as `the inverter`. */
  readonly name: string;
  readonly writes: readonly Witnessed[];
}

/** Clocks of one machine, read in two processes, may be so far apart, in milliseconds. */
const CLOCK_STEP_MS = 5;

/**
 * Compares clients' answers with a witness: every acknowledged write once, every other at most once,
 * and no other write.
 *
 * A value comes back only after all others of its writer, long after the last moment at which a write can still be
 * carried out. So a witnessed write belongs to the latest attempt before it with that topic and value.
 *
 * @param since earlier writes are not judged, for the witness has forgotten them; milliseconds since the epoch
 * @returns the faults, a sentence each
 */
export function writeFaults(
  attempts: readonly Attempt[],
  { name, writes }: Witness,
  since = Number.NEGATIVE_INFINITY,
): string[] {
  const counts = new Map<Attempt, number>(attempts.map((attempt) => [attempt, 0]));
  const faults: string[] = [];
  for (const write of writes) {
    const attempt = attempts.findLast(
      ({ topic, value, startedAt }) =>
        topic === write.topic && value === write.value && startedAt <= write.at + CLOCK_STEP_MS,
    );
    if (attempt !== undefined) counts.set(attempt, (counts.get(attempt) ?? 0) + 1);
    else if (write.at >= since)
      faults.push(`${name} saw ${describeWrite(write, write.at)}, which no client sent`);
  }
  for (const [attempt, count] of counts) {
    if (count === 1 || (count === 0 && !attempt.acknowledged) || attempt.startedAt < since) continue;
    const outcome = attempt.acknowledged ? 'acknowledged' : 'not acknowledged';
    faults.push(`${name} saw ${describeWrite(attempt, attempt.startedAt)} ${count} times; it was ${outcome}`);
  }
  return faults;
}

function describeWrite({ topic, value }: { topic: string; value: number }, at: number): string {
  return `${topic} = ${value} of ${new Date(at).toISOString()}`;
}
