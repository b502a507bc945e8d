import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { reportLimit } from '../report-limit.ts';
import { HOMES, type HomePeriod } from './home.ts';
import type { HomeOrder, HomeResult } from './home-process.ts';

const QUARTERS = 4;

const YEAR: HomePeriod = {
  fromMs: Date.UTC(2026, 0, 1),
  days: 365,
  pollMs: 4 * 60_000,
  rounds: QUARTERS,
};

const LIMITS = { falseAlarmsInQuarter: 1 };

export const bench: Bench = {
  description: `the rules of a device over a year of simulated weather in ${HOMES.length} homes, with planted faults: whether each is reported once, and false alarms`,
  async run() {
    const results = await runAll();
    const all = results.flatMap(({ counts }) => counts);
    const rules = [...new Set(all.map(({ rule }) => rule))].toSorted();
    console.log(
      `${'rule'.padEnd(20)}${['faults', 'reported', 'repeated', 'missed', 'false'].map(cell).join('')}`,
    );
    for (const rule of rules) {
      const ofRule = all.filter((count) => count.rule === rule);
      const sum = (of: (count: HomeResult[number]) => number): number =>
        ofRule.reduce((total, count) => total + of(count), 0);
      const numbers = [
        sum(({ planted }) => planted),
        sum(({ reported }) => reported),
        sum(({ repeated }) => repeated),
        sum(({ missed }) => missed.length),
        sum(({ false: alarms }) => alarms.length),
      ];
      console.log(rule.padEnd(20) + numbers.map(String).map(cell).join(''));
    }
    for (const { home, counts } of results) {
      for (const { rule, missed, false: alarms } of counts) {
        for (const fault of missed) console.log(`missed in ${home.name}: ${rule}, ${fault}`);
        for (const alarm of alarms) console.log(`false in ${home.name}: ${rule}, ${alarm}`);
      }
    }
    const planted = all.reduce((total, count) => total + count.planted, 0);
    const reported = all.reduce((total, count) => total + count.reported, 0);
    const most = Math.max(
      ...results.map(
        ({ counts }) => counts.reduce((total, count) => total + count.false.length, 0) / QUARTERS,
      ),
    );
    const kept = [
      reportLimit(reported === planted, `${reported} of ${planted} faults are reported, each once`),
      reportLimit(
        most <= LIMITS.falseAlarmsInQuarter,
        `${most.toFixed(2)} false alarms in a quarter at most, in any home (at most ${LIMITS.falseAlarmsInQuarter})`,
      ),
    ];
    return kept.every(Boolean);
  },
};

/** As many homes at a time as there are cores. */
async function runAll() {
  const waiting = [...HOMES];
  const results: { readonly home: (typeof HOMES)[number]; readonly counts: HomeResult }[] = [];
  const worker = async (): Promise<void> => {
    for (let home = waiting.shift(); home !== undefined; home = waiting.shift()) {
      const order: HomeOrder = { home, period: YEAR };
      const { message } = await startChild<HomeResult>(join(import.meta.dirname, 'home-process.ts'), {
        order,
      });
      results.push({ home, counts: message });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

function cell(text: string): string {
  return text.padStart(10);
}
