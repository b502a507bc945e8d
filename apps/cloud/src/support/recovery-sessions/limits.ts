import type { RateRule } from '../../common/limits/rate-limits.ts';

/** For each site: an owner who declines is not to be asked again and again. */
export const RECOVERY_REQUESTS: RateRule = { name: 'recovery-requests', points: 10, durationS: 24 * 60 * 60 };
