import { createCloudClient } from '@heliograph/client';
import { fetchPreloaded } from '../../shared/browser/preloaded-requests.ts';

/**
 * The API for the session of this browser: the cloud serves these paths to its own pages alone, by the cookie that no
 * script can read. Queries repeat requests.
 */
export const cloud = createCloudClient({ url: '/portal', retry: false, fetch: fetchPreloaded });
