import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { runChaos } from './chaos.ts';
import { reportLines } from './report.ts';

const DEFAULTS = { minutes: 3, seed: 1 };
const MAX_MINUTES = 24 * 60;

/** `npm run chaos -- --minutes 3 --seed 1`; exit code 1 when a rule was broken. */
async function main(): Promise<void> {
  try {
    const choices = choicesOf(process.argv.slice(2));
    console.log(`Chaos for ${choices.minutes} minutes, seed ${choices.seed}`);
    const report = await runChaos({ ...choices, print: (line) => console.log(line) });
    console.log(`\n${reportLines(report).join('\n')}`);
    if (report.faults.length > 0) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** @throws UsageError */
function choicesOf(args: readonly string[]): typeof DEFAULTS {
  const { values, positionals } = parseArguments(args, {
    minutes: { type: 'string' },
    seed: { type: 'string' },
  });
  expectArguments(positionals, []);
  const minutes = Number(values.minutes ?? DEFAULTS.minutes);
  const seed = Number(values.seed ?? DEFAULTS.seed);
  if (!(minutes > 0 && minutes <= MAX_MINUTES)) {
    throw new UsageError(`--minutes is a number up to ${MAX_MINUTES}, not "${values.minutes}"`);
  }
  if (!Number.isSafeInteger(seed)) throw new UsageError(`--seed is a whole number, not "${values.seed}"`);
  return { minutes, seed };
}

await main();
