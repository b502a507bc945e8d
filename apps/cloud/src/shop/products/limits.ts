import type { RateRule } from '../../common/limits/rate-limits.ts';

/** Files that are previewed or imported. */
export const CATALOGUES_PER_ACCOUNT: RateRule = { name: 'catalogue-account', points: 60, durationS: 10 * 60 };
