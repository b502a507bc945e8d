import { device } from '../session/device.ts';

/** The device goes on answering until it restarts, in milliseconds; a small computer then takes seconds. */
const BEFORE_MS = 1_500;
const PAUSE_MS = 500;
const PATIENCE_MS = 120_000;

/** Waits until the device answers again; at most two minutes. */
export async function whenRestarted(): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  await pause(BEFORE_MS);
  while (Date.now() < until) {
    try {
      await device.session.get();
      return;
    } catch {
      await pause(PAUSE_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
