import type { RateRule } from '../../common/limits/rate-limits.ts';

const MINUTE_S = 60;

/** Wrong codes and passkeys of one account from one network. */
export const SECOND_FACTORS_PER_PAIR: RateRule = {
  name: 'second-factor-pair',
  points: 10,
  durationS: 15 * MINUTE_S,
};

/** Wrong codes and passkeys of one account from all networks. */
export const SECOND_FACTORS_PER_ACCOUNT: RateRule = {
  name: 'second-factor-account',
  points: 30,
  durationS: 60 * MINUTE_S,
};

/**
 * Second factors and sets of recovery codes that an account adds: each is mailed. Removals do not count, so that an owner
 * can always remove a factor that another person has added.
 */
export const SECOND_FACTORS_ADDED: RateRule = {
  name: 'second-factors-added',
  points: 40,
  durationS: 60 * MINUTE_S,
};
