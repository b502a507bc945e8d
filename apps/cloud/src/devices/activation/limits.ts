import type { RateRule } from '../../common/limits/rate-limits.ts';

const HOUR_S = 60 * 60;

export const REQUESTS_PER_CALLER: RateRule = {
  name: 'activation-caller',
  points: 60,
  durationS: HOUR_S,
};

export const REQUESTS_PER_ADDRESS: RateRule = {
  name: 'activation-address',
  points: 300,
  durationS: HOUR_S,
};

/**
 * One caller's requests for one device. Counted for each caller: otherwise a stranger with the uid could keep the
 * device's owner from activating it.
 */
export const REQUESTS_PER_DEVICE: RateRule = {
  name: 'activation-device',
  points: 20,
  durationS: HOUR_S,
};
