import { ConfigError, Env, messageOf } from '@heliograph/kit';
import { configFromEnv } from './config.ts';
import { onceOrphaned } from './orphaned.ts';
import { StartRefusal } from './start-refusal.ts';
import { summaryOf } from './summary.ts';
import { type System, startSystem } from './system.ts';

/** `npm start`: runs the system until a signal ends it. */
async function main(): Promise<void> {
  const calledOff = new AbortController();
  let system: System | undefined;
  let signals = 0;

  const stop = (): void => {
    signals += 1;
    calledOff.abort();
    if (signals === 1 && system) console.log('\nStopping; once more to hurry.');
    system?.stop({ hurry: signals > 1 }).catch((error: unknown) => {
      console.error(`Stopping failed: ${messageOf(error)}`);
      process.exitCode = 1;
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // A terminal that was closed takes no more output.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  onceOrphaned(stop);

  const startedAt = performance.now();
  try {
    system = await startSystem({ ...configFromEnv(new Env()), signal: calledOff.signal });
  } catch (error) {
    if (calledOff.signal.aborted) return;
    console.error(isExplained(error) ? messageOf(error) : error);
    process.exitCode = 1;
    return;
  }
  if (calledOff.signal.aborted) {
    await system.stop();
    return;
  }
  const { run, dataFolder, logFolder } = system;
  console.log(summaryOf(run, { startedInMs: performance.now() - startedAt, dataFolder, logFolder }));
}

/** What says in one line what is wrong; everything else is a defect and shows its stack. */
function isExplained(error: unknown): boolean {
  return error instanceof StartRefusal || error instanceof ConfigError;
}

await main();
