import type { Ending } from './exchange.ts';

/**
 * Purpose of a request. `read elsewhere`: at a proxy that may not hold the device, as an old client reads; `read by name`: at
 * the name of the site, without ever authorizing again.
 */
export type Purpose = 'read' | 'read elsewhere' | 'read by name' | 'write' | 'echo' | 'authorize';

/** A failed request. */
export interface Failure {
  readonly purpose: Purpose;
  readonly host: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Its status as text, else `refused`, `broken`, `silent`, or `unexpected`: an answer to another request, or nonsense. */
  readonly what: string;
  /** Whether it was answered with `Retry-After`. */
  readonly later: boolean;
  readonly detail: string;
}

/** `good`: the requested content; `failed`: an explicit refusal; `unexpected`: neither. */
export type Verdict = 'good' | 'failed' | 'unexpected';

/** Judges an answer by its content, which names the requested topic. */
export type Judge = (status: number, body: string) => Verdict;

/** The outcome of every request. */
export class Journal {
  readonly failures: Failure[] = [];
  readonly #good = new Map<Purpose, number>();

  /** @returns whether the request succeeded */
  add(request: Pick<Failure, 'purpose' | 'host' | 'startedAt'>, ending: Ending, judge: Judge): boolean {
    const verdict = ending.kind === 'answered' ? judge(ending.status, ending.body) : 'failed';
    if (verdict === 'good') {
      this.#good.set(request.purpose, this.good(request.purpose) + 1);
      return true;
    }
    const [what, detail] =
      ending.kind === 'answered' ? [String(ending.status), ending.body] : [ending.kind, ending.reason];
    this.failures.push({
      ...request,
      endedAt: Date.now(),
      what: verdict === 'unexpected' ? 'unexpected' : what,
      later: ending.kind === 'answered' && ending.later,
      detail: detail.slice(0, 200),
    });
    return false;
  }

  /** The number of requests that succeeded. */
  good(purpose: Purpose): number {
    return this.#good.get(purpose) ?? 0;
  }
}
