import { CloudClient } from '@heliograph/client';

/**
 * The cloud, as whoever is signed in to this browser: it takes these paths from its own pages alone, with the cookie
 * that no script can read.
 */
export const cloud = new CloudClient({ url: '/portal' });
