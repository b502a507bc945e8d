import { ApiError, CloudClient, ConnectionError } from '@heliograph/client';
import { wait } from '@heliograph/kit';

export interface SeedOptions {
  readonly cloudUrl: string;
  readonly email: string;
  readonly password: string;
  readonly deviceUid: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

export interface SeededSite {
  readonly id: number;
  readonly name: string;
}

const SITE = { name: 'demo', description: 'The simulated plant of npm start' };
/** How often to ask again while the device finds its way, in milliseconds. */
const POLL_MS = 100;

/**
 * Does what a new user would do, through the same public API: signs in, and registers the device as a site.
 * A site that is there already stays as it is.
 */
export async function registerDemoSite(options: SeedOptions): Promise<SeededSite> {
  const { cloudUrl, email, password, deviceUid, signal } = options;
  const { token } = await CloudClient.signIn({ url: cloudUrl, email, password });
  const cloud = new CloudClient({ url: cloudUrl, token });
  // Unknown (404) until the device has reached the cloud, refused (422) until it is activated.
  const site = await untilDone(
    () => cloud.registerSite({ uid: deviceUid, ...SITE }),
    [404, 422, 429],
    signal,
  );
  return { id: site.id, name: site.name ?? SITE.name };
}

/** Waits until the site answers a read through its proxy with values. */
export async function untilOnline(options: {
  cloudUrl: string;
  apiToken: string;
  siteId: number;
  signal: AbortSignal;
}): Promise<void> {
  const { cloudUrl, apiToken, siteId, signal } = options;
  const cloud = new CloudClient({ url: cloudUrl, token: apiToken });
  const read = async (): Promise<void> => {
    const device = await cloud.device(siteId);
    const rows = await device.metrics({ signal });
    if (rows.length === 0) throw new NotYet();
  };
  await untilDone(read, [401, 404, 409, 422, 429, 502, 503, 504], signal);
}

/** What was asked for is not there, but will be. */
class NotYet extends Error {}

/** Repeats while the answer is one of the statuses that pass. */
async function untilDone<T>(
  attempt: () => Promise<T>,
  passing: readonly number[],
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const passes =
        error instanceof NotYet ||
        error instanceof ConnectionError ||
        (error instanceof ApiError && passing.includes(error.status));
      if (!passes || signal.aborted || !(await wait(POLL_MS, signal))) throw error;
    }
  }
}
