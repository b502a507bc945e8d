import type { RateRule } from '../../limits/rate-limits.ts';

/** API tokens that an account makes: each is mailed. */
export const API_TOKENS_MADE: RateRule = { name: 'api-tokens-made', points: 120, durationS: 60 * 60 };
