import type { LoadResult } from './load.ts';
import { quantile } from './quantile.ts';

/** One route's medians over the rounds. */
export interface Row extends Omit<LoadResult, 'answered' | 'failed'> {
  /** Requests per second as a share of the peer's in the same round. */
  readonly share: number;
  /** The p99 as a multiple of the peer's in the same round. */
  readonly p99Times: number;
}

/**
 * Each column's own median: one disturbed round does not move it. The ratios are taken round by round, since
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
    p99Times: median(results.map((result, round) => result.p99Ms / (peer[round]?.p99Ms ?? 0))),
  };
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

const COLUMNS = ['requests/s', 'p50 ms', 'p99 ms', 'of plain', 'x its p99'];

export function printTable(title: string, rows: Readonly<Record<string, Row>>): void {
  console.log(title.padEnd(16) + COLUMNS.map(cell).join(''));
  for (const [name, { requestsPerSecond, p50Ms, p99Ms, share, p99Times }] of Object.entries(rows)) {
    const numbers = [p50Ms, p99Ms, share, p99Times].map((value) => value.toFixed(2));
    console.log(`  ${name.padEnd(14)}${[requestsPerSecond.toFixed(0), ...numbers].map(cell).join('')}`);
  }
  console.log('');
}

function cell(text: string): string {
  return text.padStart(12);
}
