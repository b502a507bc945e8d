import { ApiError, ConnectionError, type DeviceConfiguration } from '@heliograph/client';

/** How long a small board may take to restart, in milliseconds. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

interface Waiting {
  readonly get: () => Promise<DeviceConfiguration>;
  readonly patienceMs?: number;
  readonly pauseMs?: number;
}

/**
 * Waits until the device runs with the written configuration: it restarts, and does not answer while it does.
 *
 * @param written the answer of the device to the change
 * @returns the configuration in force; undefined when the device has not come back in time
 * @throws ApiError when the device came back and refuses to answer
 */
export async function whenInEffect(
  written: DeviceConfiguration,
  { get, patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS }: Waiting,
): Promise<DeviceConfiguration | undefined> {
  const until = Date.now() + patienceMs;
  let known: DeviceConfiguration = written;
  while (known.taking_effect) {
    if (Date.now() >= until) return undefined;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      known = await get();
    } catch (error) {
      if (!isAway(error)) throw error;
    }
  }
  return known;
}

/** No answer from the device itself, or one of the proxy that it is not there. */
function isAway(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
}
