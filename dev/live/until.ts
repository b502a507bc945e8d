import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@heliograph/kit';

const INTERVAL_MS = 100;

/** How long a step may wait for one thing, in seconds: a machine that does other work as well needs many times as long. */
const PATIENCE_S = 60;

/**
 * Waits until a probe has a result. One that throws is tried again.
 *
 * @param expected the rest of the sentence "It did not happen that …"
 * @param probe returns undefined or false until then
 * @throws an error with the sentence, and with the last error of the probe
 */
export async function until<T>(
  expected: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  { seconds = PATIENCE_S }: { readonly seconds?: number } = {},
): Promise<T> {
  const endsAt = performance.now() + seconds * 1000;
  let failure: unknown;
  do {
    try {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await delay(INTERVAL_MS);
  } while (performance.now() < endsAt);
  const why = failure === undefined ? '' : `: ${messageOf(failure)}`;
  throw new Error(`It did not happen within ${seconds} s that ${expected}${why}`);
}
