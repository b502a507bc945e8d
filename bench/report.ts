import type { LoadResult } from './load.ts';
import { quantile } from './quantile.ts';

/** One route's medians over the rounds. */
export interface Row extends Omit<LoadResult, 'failed'> {
  /** Requests per second as a share of what the peer reached in the same round. */
  readonly share: number;
}

/**
 * Each column's own median: one disturbed round does not move it. The share is taken round by round, since
 * what disturbs a round is likely to disturb the peer beside it too.
 */
export function rowOf(results: readonly LoadResult[], peer: readonly LoadResult[]): Row {
  return {
    requestsPerSecond: median(results.map((result) => result.requestsPerSecond)),
    p50Ms: median(results.map((result) => result.p50Ms)),
    p99Ms: median(results.map((result) => result.p99Ms)),
    share: median(
      results.map((result, round) => result.requestsPerSecond / (peer[round]?.requestsPerSecond ?? 0)),
    ),
  };
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

export function printTable(title: string, rows: Readonly<Record<string, Row>>): void {
  console.log(title.padEnd(16) + ['requests/s', 'p50 ms', 'p99 ms', 'of plain'].map(cell).join(''));
  for (const [name, { requestsPerSecond, p50Ms, p99Ms, share }] of Object.entries(rows)) {
    const cells = [requestsPerSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2), share.toFixed(2)];
    console.log(`  ${name.padEnd(14)}${cells.map(cell).join('')}`);
  }
  console.log('');
}

function cell(text: string): string {
  return text.padStart(12);
}
