import type { RateRule } from '../../limits/rate-limits.ts';

/** Challenges cost the cloud a little; a page that is reloaded now and then stays far below. */
export const CHALLENGES_PER_ADDRESS: RateRule = { name: 'bot_check_challenges', points: 60, durationS: 600 };

/** Solutions, right and wrong ones alike; a whole office behind one address registers with these. */
export const SOLUTIONS_PER_ADDRESS: RateRule = { name: 'bot_check_solutions', points: 30, durationS: 600 };
