import { DeviceClient } from '@heliograph/client';
import { CommandFailed } from '../terminal/failures.ts';
import type { LanSettings } from './settings.ts';

/** A device checks passwords slowly on purpose; in milliseconds. */
const SIGN_IN_TIMEOUT_MS = 30_000;

/**
 * Signs in to the pages of a device on the local network as a person does, and out again afterwards.
 *
 * @throws CommandFailed when the device refuses
 */
export async function withDeviceSession<T>(
  { address, password }: LanSettings,
  work: (device: DeviceClient) => Promise<T>,
): Promise<T> {
  const device = new DeviceClient({ address, cookie: await signIn(address, password) });
  try {
    return await work(device);
  } finally {
    await device.session.signOut().catch(() => undefined);
  }
}

/** @returns the cookie of the session */
async function signIn(address: string, password: string): Promise<string> {
  const answer = await fetch(`http://${address}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
    signal: AbortSignal.timeout(SIGN_IN_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new CommandFailed(`The device at ${address} cannot be reached`, { cause });
  });
  const [cookie] = answer.headers.getSetCookie();
  if (!answer.ok || cookie === undefined) {
    throw new CommandFailed(`The device at ${address} refused the sign-in with status ${answer.status}`);
  }
  return cookie.split(';')[0] ?? '';
}
