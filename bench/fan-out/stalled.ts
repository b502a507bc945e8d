import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { residentMb } from '../usage.ts';
import { connectClients } from './clients.ts';
import type { Route } from './routes.ts';

const HEALTHY = 20;
const STALLED = 1_000;
const WATCH_S = 15;
/** So long the stalled ones ask for everything again, once a second, so that all there is to fill is full. */
const ASKING_S = 30;
/** Time to work off the stalled requests. */
const REST_S = 10;
/** How long memory may take to return when they are gone. */
const SETTLE_S = 10;

/** Stalled readers beside healthy ones: the healthy ones must not notice, and memory must stay bounded. */
export async function benchStalled(
  route: Route,
  pids: Readonly<Record<'proxy' | 'device', number>>,
  p99LimitMs: number,
): Promise<boolean> {
  using healthy = await connectClients({ ...route, count: HEALTHY });
  const before = await healthy.watch(WATCH_S);
  const memoryBefore = memoryOf(pids);
  const stalled = await connectClients({ ...route, count: STALLED, stalledS: ASKING_S });
  await delay((ASKING_S + REST_S) * 1000);
  const beside = await healthy.watch(WATCH_S);
  const memoryBeside = memoryOf(pids);
  const { lost } = await stalled.watch(0);
  stalled[Symbol.dispose]();
  await delay(SETTLE_S * 1000);
  const after = await healthy.watch(WATCH_S);
  const memoryAfter = memoryOf(pids);

  console.log(
    `${STALLED} readers that asked for everything ${ASKING_S} times and never read, ${lost} of them cut off:`,
  );
  console.log(`  before them ${memoryBefore}, beside them ${memoryBeside}, after them ${memoryAfter}`);
  const p99s = [before, beside, after].map(({ delaysMs }) => quantile(delaysMs, 0.99));
  const isWithinLimit = (p99s[1] ?? Number.NaN) < p99LimitMs && beside.lost === 0 && after.lost === 0;
  const texts = p99s.map((p99) => p99.toFixed(1));
  return reportLimit(
    isWithinLimit,
    `p99 of ${HEALTHY} others: ${texts[0]} ms before, ${texts[1]} ms beside them (below ${p99LimitMs}), ${texts[2]} ms after`,
  );
}

function memoryOf(pids: Readonly<Record<string, number>>): string {
  return Object.entries(pids)
    .map(([name, pid]) => `${name} ${residentMb(pid).toFixed(0)} MB`)
    .join(', ');
}
