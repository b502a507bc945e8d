import type { RateRule } from '../../common/limits/rate-limits.ts';

const MINUTE_S = 60;

/** Invalid credentials; a proxy with a revoked credential retries every five seconds. */
export const WRONG_PROXY_CREDENTIALS: RateRule = {
  name: 'proxy-credential-network',
  points: 60,
  durationS: 5 * MINUTE_S,
};
