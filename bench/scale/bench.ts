import type { Bench } from '../bench.ts';
import { quantile } from '../quantile.ts';
import { Fleet, type Outcome } from './fleet.ts';
import { CAPACITIES, DEVICES, PROXIES } from './inputs.ts';
import { scenarios } from './scenarios.ts';

/** All devices are back within so long, in milliseconds, also during an outage of the cloud. */
const LIMIT_MS = 3 * 60_000;

export const bench: Bench = {
  description: `simulates ${DEVICES.toLocaleString('en')} homes on ${PROXIES} proxies that lose and regain what they need`,
  async run() {
    console.log(
      `cloud ${CAPACITIES.cloudCallsPerS} calls/s in all, ${CAPACITIES.dialsPerProxyPerS} dials/s at each proxy\n`,
    );
    console.log(
      line(['', 'devices', 'p50 s', 'p99 s', 'all s', 'not back', 'calls', 'peak/s', 'queue', 'fullest']),
    );
    let isWithinLimit = true;
    for (const scenario of scenarios(DEVICES, PROXIES)) {
      const outcome = new Fleet(scenario, CAPACITIES).run();
      console.log(line([scenario.name, ...cellsOf(outcome)]));
      isWithinLimit &&= outcome.notBack === 0 && quantile(outcome.tookMs, 1) <= LIMIT_MS;
    }
    console.log(`\n${isWithinLimit ? 'kept' : 'MISSED'}: all are back within ${LIMIT_MS / 60_000} minutes`);
    return isWithinLimit;
  },
};

function cellsOf({ tookMs, notBack, cloudCalls, longestCloudQueue, imbalance }: Outcome): string[] {
  const seconds = [0.5, 0.99, 1].map((share) => (quantile(tookMs, share) / 1000).toFixed(1));
  const calls = cloudCalls.reduce((sum, count) => sum + (count ?? 0), 0);
  const peak = cloudCalls.reduce((most, count) => Math.max(most, count ?? 0), 0);
  const counts = [notBack, calls, peak, longestCloudQueue].map(String);
  return [String(tookMs.length + notBack), ...seconds, ...counts, imbalance.toFixed(3)];
}

function line([name = '', ...cells]: readonly string[]): string {
  return name.padEnd(44) + cells.map((cell) => cell.padStart(10)).join('');
}
