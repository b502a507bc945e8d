import type { DeviceSession } from '@heliograph/client';
import { deviceSession } from '../session/session-client.ts';

/** The device goes on answering until it restarts, in milliseconds; a small computer then takes seconds. */
const BEFORE_MS = 1_500;
const PAUSE_MS = 500;

/** A device that is about to stop may take a request and never answer it, in milliseconds. */
const ANSWER_MS = 3_000;

const PATIENCE_MS = 120_000;

/** Waits until the device answers again, and is another one; at most two minutes. */
export async function whenRestarted(isOther: (session: DeviceSession) => boolean): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  await pause(BEFORE_MS);
  while (Date.now() < until) {
    try {
      if (isOther(await deviceSession.get({ signal: AbortSignal.timeout(ANSWER_MS) }))) return;
    } catch {
      // It is restarting.
    }
    await pause(PAUSE_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
