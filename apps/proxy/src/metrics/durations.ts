/** Upper ends of the classes of durations, in seconds. */
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * How long requests took, as a histogram of Prometheus. The library's own takes a microsecond and a half for each,
 * which is more than a hundredth of a request.
 */
export class Durations {
  readonly #counts = new Array<number>(BOUNDS_S.length + 1).fill(0);
  #sumMs = 0;

  add(ms: number): void {
    let bound = 0;
    while (bound < BOUNDS_S.length && ms > (BOUNDS_S[bound] ?? 0) * 1000) bound++;
    this.#counts[bound] = (this.#counts[bound] ?? 0) + 1;
    this.#sumMs += ms;
  }

  /** In the text format of Prometheus. */
  text(name: string, help: string): string {
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
    let below = 0;
    for (const [index, count] of this.#counts.entries()) {
      below += count;
      lines.push(`${name}_bucket{le="${BOUNDS_S[index] ?? '+Inf'}"} ${below}`);
    }
    lines.push(`${name}_sum ${this.#sumMs / 1000}`, `${name}_count ${below}`, '');
    return lines.join('\n');
  }
}
