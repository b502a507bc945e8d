import type { Bench } from '../bench.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { Fleet, type Outcome } from './fleet.ts';
import { CAPACITIES, DEVICES, PROXIES } from './inputs.ts';
import { scenarios } from './scenarios.ts';

export const bench: Bench = {
  description: `simulates ${DEVICES.toLocaleString('en')} homes on ${PROXIES} proxies that lose and regain what they need`,
  async run() {
    const { clouds, callsPerCloudPerS, dialsPerProxyPerS } = CAPACITIES;
    console.log(
      `${clouds} processes of the cloud, ${callsPerCloudPerS} calls/s each; ${dialsPerProxyPerS} dials/s at each proxy\n`,
    );
    console.log(
      line(['', 'devices', 'p50 s', 'p99 s', 'all s', 'not back', 'calls', 'peak/s', 'queue', 'fullest']),
    );
    let areKept = true;
    for (const scenario of scenarios(DEVICES, PROXIES)) {
      const outcome = new Fleet(scenario, CAPACITIES).run();
      console.log(line([scenario.name, ...cellsOf(outcome)]));
      const isKept = outcome.notBack === 0 && quantile(outcome.backMs, 1) <= scenario.limitMs;
      if (!isKept) console.log(`MISSED: all are back within ${scenario.limitMs / 60_000} minutes`);
      areKept &&= isKept;
    }
    return reportLimit(
      areKept,
      'all are back in time: within 3 minutes, or 10 with a quarter of the machines',
    );
  },
};

function cellsOf({ backMs, notBack, cloudCalls, longestCloudQueue, imbalance }: Outcome): string[] {
  const seconds = [0.5, 0.99, 1].map((share) => (quantile(backMs, share) / 1000).toFixed(1));
  const calls = cloudCalls.reduce((sum, count) => sum + (count ?? 0), 0);
  const peak = cloudCalls.reduce((most, count) => Math.max(most, count ?? 0), 0);
  const counts = [notBack, calls, peak, longestCloudQueue].map(String);
  return [String(backMs.length + notBack), ...seconds, ...counts, imbalance.toFixed(3)];
}

function line([name = '', ...cells]: readonly string[]): string {
  return name.padEnd(44) + cells.map((cell) => cell.padStart(10)).join('');
}
