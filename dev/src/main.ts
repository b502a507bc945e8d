import { ConfigError, Env, messageOf } from '@heliograph/kit';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { DatabaseError } from 'pg';
import { configFromEnv } from './config.ts';
import { StartRefusal } from './machine/start-refusal.ts';
import { onNpmExit } from './orphaned.ts';
import { summaryOf } from './summary.ts';
import { type System, startSystem } from './system.ts';

/** A year, and the year before it to compare with has begun. */
const HISTORY_DAYS = 400;

/** `npm start`: runs the system until a signal ends it. */
async function main(): Promise<void> {
  const cancellation = new AbortController();
  let system: System | undefined;
  let signals = 0;

  const stop = (): void => {
    signals += 1;
    cancellation.abort();
    if (signals === 1 && system) console.log('\nStopping; press Ctrl-C again to stop immediately.');
    system?.stop({ hurry: signals > 1 }).catch((error: unknown) => {
      console.error(`Stopping failed: ${messageOf(error)}`);
      process.exitCode = 1;
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // A terminal that was closed takes no more output.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  onNpmExit(stop);

  const startedAt = performance.now();
  // On a terminal alone, and wiped afterwards: a refusal stays one clear line.
  const waiting = process.stdout.isTTY;
  if (waiting) process.stdout.write('Starting PostgreSQL, cloud, proxy, device and a simulated home …');
  const clearLine = (): unknown => waiting && process.stdout.write('\r\x1b[K');
  try {
    const { full } = optionsOf(process.argv.slice(2));
    system = await startSystem({
      ...configFromEnv(new Env()),
      plant: { full },
      historyDays: HISTORY_DAYS,
      signal: cancellation.signal,
    });
    clearLine();
  } catch (error) {
    clearLine();
    if (cancellation.signal.aborted) return;
    console.error(explanationOf(error) ?? error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
    return;
  }
  if (cancellation.signal.aborted) {
    await system.stop();
    return;
  }
  const { run, dataFolder, logFolder } = system;
  console.log(summaryOf(run, { startedInMs: performance.now() - startedAt, dataFolder, logFolder }));
}

/** @throws UsageError */
function optionsOf(args: readonly string[]): { full: boolean } {
  const { values, positionals } = parseArguments(args, { plant: { type: 'string' } });
  expectArguments(positionals, []);
  const { plant = 'home' } = values;
  if (plant !== 'home' && plant !== 'full')
    throw new UsageError(`--plant is "home" or "full", not "${plant}"`);
  return { full: plant === 'full' };
}

/** One line about the error; undefined for a defect of ours, which shows its stack. */
function explanationOf(error: unknown): string | undefined {
  if ([StartRefusal, ConfigError, UsageError].some((Refusal) => error instanceof Refusal))
    return messageOf(error);
  // The system or the database refuses something: a full disk, a file where a folder should be.
  const hint = error instanceof DatabaseError && error.hint ? ` (${error.hint})` : '';
  const isRefused = error instanceof DatabaseError || (error instanceof Error && 'syscall' in error);
  return isRefused ? `The system cannot start: ${messageOf(error)}${hint}` : undefined;
}

await main();
