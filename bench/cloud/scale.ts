import { quantile } from '../quantile.ts';
import { TOKENS } from './fill.ts';
import { latencies } from './latencies.ts';
import type { FilledCloud } from './server.ts';

/** The p99 at many rows may be this many times the p99 at few. */
const LIMIT = 2;
const ROUNDS = 5;
const REQUESTS_A_ROUND = 150;

/** A request and its caller; `n` differs from request to request. */
const QUESTIONS: Readonly<Record<string, { as: keyof typeof TOKENS; path: (n: number) => string }>> = {
  'sites: list': { as: 'staff', path: () => '/sites' },
  'sites: of an organization': { as: 'employee', path: () => '/sites' },
  'sites: one name': { as: 'staff', path: (n) => `/sites?q=name:site-${n}` },
  'sites: one uid': { as: 'staff', path: (n) => `/sites?q=uid:device${n}` },
  'sites: rare word': { as: 'staff', path: () => '/sites?q=needle' },
  'sites: common word': { as: 'staff', path: () => '/sites?q=garage' },
  'sites: two words': { as: 'staff', path: () => '/sites?q=garage+deye' },
  'sites: no match': { as: 'staff', path: (n) => `/sites?q=nothing${n}` },
  'sites: number': { as: 'staff', path: (n) => `/sites?q=${n}` },
  'sites: inverter': { as: 'staff', path: () => '/sites?q=battery:unknown+inverter:x' },
  'sites: common inverter': { as: 'staff', path: () => '/sites?q=inverter:%22Deye+SG05LP1%22' },
  'sites: online': { as: 'staff', path: () => '/sites?q=online:true' },
  'sites: seen lately': { as: 'staff', path: () => `/sites?q=last_seen_after:${hoursAgo(2)}` },
  'sites: seen ever': { as: 'staff', path: () => `/sites?q=last_seen_after:${hoursAgo(2000)}` },
  'sites: parameter': { as: 'staff', path: (n) => `/sites?q=inverter_params_serial:S${n}` },
  'sites: frequent parameter': { as: 'staff', path: () => '/sites?q=inverter_params_phases:3' },
  'sites: word in an organization': { as: 'employee', path: () => '/sites?q=garage' },
  'sites: of one user': { as: 'staff', path: (n) => `/sites?q=user_id:${n}` },
  'users: list': { as: 'staff', path: () => '/users' },
  'users: of an organization': { as: 'employee', path: () => '/users' },
  'users: email': { as: 'staff', path: (n) => `/users?q=user${n}%40example.org` },
  'users: common name': { as: 'staff', path: () => '/users?q=ada' },
  'users: name in an organization': { as: 'employee', path: () => '/users?q=ada' },
  'users: phone': { as: 'staff', path: (n) => `/users?q=1555${String(n).padStart(7, '0')}` },
};

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** List, search and filter with many rows against few; the two take turns. */
export async function benchScale(
  few: FilledCloud & { rows: number },
  many: FilledCloud & { rows: number },
): Promise<boolean> {
  console.log(`p99 in ms of list, search and filter: ${few.rows} and ${many.rows} sites and users\n`);
  let worst = 0;
  for (const [name, { as, path }] of Object.entries(QUESTIONS)) {
    const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [size, cloud] of [
        ['few', few],
        ['many', many],
      ] as const) {
        const paths = Array.from({ length: REQUESTS_A_ROUND }, () =>
          path(1 + Math.floor(Math.random() * cloud.rows)),
        );
        const taken = await latencies(cloud.url, TOKENS[as], paths);
        // The first round warms caches and compiles.
        if (round > 0) times[size].push(...taken);
      }
    }
    const ratio = quantile(times.many, 0.99) / quantile(times.few, 0.99);
    worst = Math.max(worst, ratio);
    const cells = [times.few, times.many].flatMap((all) => [quantile(all, 0.5), quantile(all, 0.99)]);
    console.log(
      `  ${name.padEnd(32)}${cells.map((ms) => ms.toFixed(1).padStart(8)).join('')}${ratio.toFixed(2).padStart(8)}`,
    );
  }
  const isWithinLimit = worst <= LIMIT;
  console.log(`\n${isWithinLimit ? 'kept' : 'MISSED'}: at most ${worst.toFixed(2)} times (limit ${LIMIT})\n`);
  return isWithinLimit;
}
