import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpsReceiver } from '@heliograph/cloud/testing';
import { messageOf } from '@heliograph/kit';
import { Live } from './live.ts';
import { LogLines } from './log-lines.ts';
import { Clocks } from './machine/clocks.ts';
import { RunningSystem } from './running-system.ts';
import { SkippedStep, type Step } from './step.ts';

/** How long one thing may take, in milliseconds. */
const LIMIT_MS = 7 * 60_000;

type Print = (line: string) => void;

export interface LiveOptions {
  readonly steps: readonly Step[];
  readonly print: Print;
  /** Ends the run: the system is stopped, and what is left is not taken. */
  readonly signal: AbortSignal;
}

export interface LiveOutcome {
  readonly passed: number;
  readonly failed: number;
}

/** Starts the system, takes the steps, stops it, and reads its logs. Prints a line for each. */
export async function liveRun({ steps, print, signal }: LiveOptions): Promise<LiveOutcome> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-live-'));
  // Folders of people have spaces and letters of their languages in their names.
  const dataFolder = join(folder, 'données d’essai');
  await mkdir(dataFolder);
  const clocks = new Clocks(folder);
  const system = new RunningSystem({ dataFolder, env: clocks.env });
  const tally = new Tally(print, signal);
  {
    await using undo = new AsyncDisposableStack();
    undo.defer(() => system.stop().catch(() => undefined));
    const logs = new LogLines(system.logFolder);
    const receiver = undo.use(await startHttpsReceiver());
    const live = new Live({ system, clocks, receiver, folder, undo });
    const started = await tally.take('npm start runs the whole system', () => system.start());
    if (started) {
      for (const { title, causes = [], run } of steps) {
        if (signal.aborted) break;
        await tally.take(title, () => logs.during(causes, () => run(live)));
      }
      await tally.take('the system stops in order', () => system.stop());
      await tally.take(
        'no log has a line at warn or above that no step caused while it was taken',
        async () => {
          const lines = [...logs.unexplained(), ...system.errors.split('\n').filter((line) => line !== '')];
          if (lines.length > 0) throw new Error(`${lines.length} lines\n${lines.join('\n')}`);
        },
      );
    }
  }
  const { passed, failed, skipped } = tally;
  if (failed === 0) await rm(folder, { recursive: true, force: true });
  else print(`The data and the logs are in ${folder}`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  print(`${passed} passed, ${failed} failed${skips}, in ${seconds} s`);
  return { passed, failed };
}

/** @throws the reason of the signal, if it aborts first */
async function within(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    await Promise.race([run(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Counts and prints what passed, what failed and what was skipped. */
class Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  readonly #print: Print;
  readonly #signal: AbortSignal;

  constructor(print: Print, signal: AbortSignal) {
    this.#print = print;
    this.#signal = signal;
  }

  /** @returns whether it passed */
  async take(title: string, run: () => Promise<void>): Promise<boolean> {
    const startedAt = performance.now();
    const failure = await within(run, AbortSignal.any([this.#signal, AbortSignal.timeout(LIMIT_MS)])).then(
      () => undefined,
      (error: unknown) => error ?? new Error('no reason'),
    );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
    if (failure === undefined) {
      this.passed += 1;
      this.#print(`ok     ${seconds} s  ${title}`);
      return true;
    }
    if (failure instanceof SkippedStep) {
      this.skipped += 1;
      this.#print(`skipped ${seconds} s ${title}: ${failure.message}`);
      return false;
    }
    this.failed += 1;
    this.#print(`FAILED ${seconds} s  ${title}`);
    this.#print(failure instanceof Error ? (failure.stack ?? messageOf(failure)) : String(failure));
    return false;
  }
}
