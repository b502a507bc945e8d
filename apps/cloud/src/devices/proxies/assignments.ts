/** The values that a proxy's load is computed from. */
export interface ProxyLoad {
  readonly name: string;
  readonly capacity: number;
  readonly sessionCount: number;
  readonly announcedAt: Date;
}

/** Assignments are counted in spans of this many milliseconds. */
const SPAN_MS = 100;

/** Devices sent to a proxy in one span of time. */
interface Span {
  readonly endMs: number;
  count: number;
}

/**
 * Devices assigned to a proxy since its last announcement, of which there can be thousands. Each process of the cloud
 * counts its own, which spreads the devices of all processes evenly too.
 */
export class Assignments {
  readonly #spans = new Map<string, Span[]>();

  add(proxyName: string, nowMs: number): void {
    const spans = this.#spans.get(proxyName) ?? [];
    this.#spans.set(proxyName, spans);
    const last = spans.at(-1);
    if (last !== undefined && nowMs < last.endMs) last.count += 1;
    else spans.push({ endMs: nowMs + SPAN_MS, count: 1 });
  }

  /** Sessions and assignments as a share of the capacity; 1 is full. */
  loadOf({ name, capacity, sessionCount, announcedAt }: ProxyLoad): number {
    return (sessionCount + this.#since(name, announcedAt.getTime())) / capacity;
  }

  #since(proxyName: string, sinceMs: number): number {
    const spans = this.#spans.get(proxyName);
    if (spans === undefined) return 0;
    const recent = spans.filter(({ endMs }) => endMs > sinceMs);
    if (recent.length === 0) this.#spans.delete(proxyName);
    else if (recent.length < spans.length) this.#spans.set(proxyName, recent);
    return recent.reduce((sum, { count }) => sum + count, 0);
  }
}
