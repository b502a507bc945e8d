import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';

const PROGRAM = join(import.meta.dirname, '../../apps/device/test/serve/api/serve-year.ts');
const DAYS_OF_READINGS = 2;
const REQUESTS = 60;
const DAY_S = 86_400;
/** The most that the curve of a day may take, in milliseconds. */
const LIMIT_MS = 50;

interface Served {
  readonly url: string;
  readonly authorization: string;
  readonly fillMs: number;
  readonly filled: { readonly metrics: number; readonly yearMb: number; readonly dayMb: number };
}

/** The query; `daysAgo` differs from request to request. */
const QUESTIONS: Readonly<Record<string, (daysAgo: number) => string>> = {
  'a day': (daysAgo) => `topic=inverter_1/power_7&${day(daysAgo)}`,
  'a day by minutes': (daysAgo) => `topic=inverter_1/power_7&step=1m&${day(daysAgo % DAYS_OF_READINGS)}`,
  'a day, all topics': (daysAgo) => day(daysAgo),
  'a year': (daysAgo) => `topic=inverter_1/power_${1 + (daysAgo % 20)}&from=${now() - 365 * DAY_S}`,
};

export const bench: Bench = {
  description: `a device's history: a year of 60 metrics, a day's curve in ${LIMIT_MS} ms, size on disk`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'heliograph-bench-'));
    const { process: child, message } = await startChild<Served>(PROGRAM, {
      args: [folder, String(DAYS_OF_READINGS)],
    });
    try {
      describe(message);
      console.log(
        `${'ms'.padEnd(22)}${['p50', 'p99', 'points'].map((title) => title.padStart(10)).join('')}`,
      );
      let slowest = 0;
      for (const [name, query] of Object.entries(QUESTIONS)) {
        const { p50, p99, points } = await measure(message, query);
        const cells = [p50.toFixed(1), p99.toFixed(1), String(points)];
        console.log(`  ${name.padEnd(20)}${cells.map((cell) => cell.padStart(10)).join('')}`);
        if (name === 'a day') slowest = p99;
      }
      const isWithinLimit = slowest < LIMIT_MS;
      console.log(
        `\n${isWithinLimit ? 'kept' : 'MISSED'}: p99 of a day's curve ${slowest.toFixed(1)} ms, limit ${LIMIT_MS} ms`,
      );
      return isWithinLimit;
    } finally {
      child.disconnect();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function describe({ filled: { metrics, yearMb, dayMb }, fillMs }: Served): void {
  const perValue = (mb: number, values: number) => ((mb * 1e6) / values).toFixed(2);
  console.log(
    `${metrics} metrics, filled in ${(fillMs / 1000).toFixed(0)} s. On the disk: a year of roll-ups ` +
      `${yearMb.toFixed(1)} MB (${perValue(yearMb, metrics * 365 * 288)} bytes a metric and five minutes), a day of ` +
      `readings every 2 s ${dayMb.toFixed(1)} MB (${perValue(dayMb, (metrics * DAY_S) / 2)} bytes a value)\n`,
  );
}

async function measure({ url, authorization }: Served, query: (daysAgo: number) => string) {
  const times: number[] = [];
  let points = 0;
  for (let request = 0; request < REQUESTS; request++) {
    const start = performance.now();
    const answer = await fetch(`${url}/api/v1/history?${query((request * 11) % 360)}`, {
      headers: { authorization },
    });
    const text = await answer.text();
    // The first ones compile.
    if (request >= REQUESTS / 10) times.push(performance.now() - start);
    const { series } = JSON.parse(text) as { series?: { times: number[] }[] };
    if (answer.status !== 200 || !series?.length) throw new Error(`${answer.status}: ${text.slice(0, 200)}`);
    points = series.reduce((sum, one) => sum + one.times.length, 0);
  }
  times.sort((a, b) => a - b);
  const quantile = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99), points };
}

const now = (): number => Math.floor(Date.now() / 1000);
const day = (daysAgo: number): string =>
  `from=${now() - (daysAgo + 1) * DAY_S}&to=${now() - daysAgo * DAY_S}`;
