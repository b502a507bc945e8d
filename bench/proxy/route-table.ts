import type { LoadResult } from '../load.ts';
import { rowOf } from '../report.ts';

/** One route over all rounds. Processor times are of one request, in microseconds of a core. */
export interface RouteRow {
  readonly name: string;
  readonly rounds: readonly LoadResult[];
  /** Of the processes that forward. */
  readonly proxyUs: number;
  readonly deviceUs: number;
  /** Of both in the same rounds. */
  readonly sumUs: number;
}

const COLUMNS = ['requests/s', 'p50 ms', 'p99 ms', 'proxy µs', 'device µs', 'sum µs'];

/** @param peers names of routes, for each of which a column has the rate and one the p99 as a multiple of its own */
export function printRoutes(title: string, rows: readonly RouteRow[], peers: readonly string[]): void {
  const compared = rows.filter(({ name }) => peers.includes(name));
  console.log(title);
  const ratios = compared.flatMap(({ name }) => [`of ${name}`, 'x its p99']);
  console.log(line('', [...COLUMNS, ...ratios]));
  for (const { name, rounds, proxyUs, deviceUs, sumUs } of rows) {
    const { requestsPerSecond, p50Ms, p99Ms } = rowOf(rounds, rounds);
    const cells = [requestsPerSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2)];
    cells.push(...[proxyUs, deviceUs, sumUs].map((us) => us.toFixed(0)));
    for (const peer of compared) {
      const { share, p99Times } = rowOf(rounds, peer.rounds);
      cells.push(share.toFixed(2), p99Times.toFixed(2));
    }
    console.log(line(name, cells));
  }
  console.log('');
}

const CELL_CHARACTERS = 15;

function line(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(12)}${cells.map((text) => text.padStart(CELL_CHARACTERS)).join('')}`;
}
