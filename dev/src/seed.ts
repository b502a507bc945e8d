import { ApiError, ConnectionError, createCloudClient } from '@heliograph/client';
import { wait } from '@heliograph/kit';

export interface SeedOptions {
  readonly cloudUrl: string;
  readonly email: string;
  readonly password: string;
  readonly deviceUid: string;
  readonly signal: AbortSignal;
}

export interface SeededSite {
  readonly id: number;
  readonly name: string;
}

const SITE = { name: 'demo', description: 'The simulated plant of npm start' };
/** Between two attempts, in milliseconds. */
const POLL_MS = 100;

/**
 * Does what a new user would do, through the same public API: signs in, and registers the device as a site.
 * A site that is there already stays as it is.
 */
export async function registerDemoSite(options: SeedOptions): Promise<SeededSite> {
  const { cloudUrl, email, password, deviceUid, signal } = options;
  const credentials = { email, password, organization_id: 'none' } as const;
  const { token } = await createCloudClient({ url: cloudUrl }).signIn(credentials);
  const cloud = createCloudClient({ url: cloudUrl, token });
  // Unknown (404) until the device has reached the cloud, refused (422) until it is activated.
  const site = await retryWhileTransient(
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
  proxyUrl: string;
  signal: AbortSignal;
}): Promise<void> {
  const { cloudUrl, apiToken, siteId, proxyUrl, signal } = options;
  // Clients take a loopback address for one without TLS.
  const scheme = proxyUrl.startsWith('https:') ? 'https' : 'http';
  const cloud = createCloudClient({ url: cloudUrl, token: apiToken });
  const read = async (): Promise<void> => {
    const device = await cloud.device(siteId, { schemeOf: () => scheme });
    const rows = await device.metrics({ signal });
    if (rows.length === 0) throw new NoValuesYet();
  };
  await retryWhileTransient(read, [401, 404, 409, 422, 429, 502, 503, 504], signal);
}

class NoValuesYet extends Error {}

/** Repeats while the connection fails or the answer has one of the transient statuses. */
async function retryWhileTransient<T>(
  attempt: () => Promise<T>,
  transientStatuses: readonly number[],
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isTransient =
        error instanceof NoValuesYet ||
        error instanceof ConnectionError ||
        (error instanceof ApiError && transientStatuses.includes(error.status));
      if (!isTransient || signal.aborted || !(await wait(POLL_MS, signal))) throw error;
    }
  }
}
