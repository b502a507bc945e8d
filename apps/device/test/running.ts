import { afterAll } from 'vitest';

/** Something that a test started. */
export interface Stoppable {
  stop(): unknown;
}

/** Stops what was started, the latest first, and empties the list. @throws AggregateError when all others are stopped */
export async function stopAll(running: Stoppable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const one of running.splice(0).reverse()) {
    try {
      await one.stop();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not all that was started could be stopped');
}

/**
 * A list of what the tests of a file start, which is stopped after the last of them: they run side by side, since a test of a line
 * waits for silence most of the time. To be called outside of any `describe`.
 */
export function runningUntilTheEnd(): Stoppable[] {
  const running: Stoppable[] = [];
  afterAll(() => stopAll(running));
  return running;
}

/** How long a line may take to recover on a busy machine, in milliseconds. `expect.poll` knows no tests side by side: `vi.waitFor` does. */
export const PATIENCE = { timeout: 30_000, interval: 5 };
