import { messageOf } from '@heliograph/kit';
import { parseArguments, UsageError } from '@heliograph/kit/terminal';
import { liveRun } from './live-run.ts';
import { steps } from './steps/index.ts';

/** `npm run live`, or `npm run live -- mqtt alert` for some steps; exit code 1 when a step failed, or a log has a line that no step has caused. */
async function main(): Promise<void> {
  try {
    const { positionals } = parseArguments(process.argv.slice(2), {});
    const unknown = positionals.filter((name) => !steps.some((step) => step.name === name));
    if (unknown.length > 0)
      throw new UsageError(`There is no step ${unknown}: ${steps.map(({ name }) => name).join(', ')}`);
    if (process.platform !== 'linux') throw new UsageError('npm run live needs Linux');
    const interruption = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => interruption.abort(new Error(`${signal} ended the run`)));
    const { failed } = await liveRun({
      steps: steps.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
      print: (line) => console.log(line),
      signal: interruption.signal,
    });
    if (failed > 0) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof UsageError ? messageOf(error) : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

await main();
// A step that did not end keeps nothing running.
process.exit();
