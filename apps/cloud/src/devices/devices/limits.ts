import type { RateRule } from '../../common/limits/rate-limits.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/**
 * Calls of devices from one address. After a regional outage every home behind one carrier's address comes back at once:
 * enough for five thousand of them, twice each.
 */
export const CONNECTS_PER_ADDRESS: RateRule = {
  name: 'connect-address',
  points: 10_000,
  durationS: MINUTE_S,
  perProcess: true,
};

/** A device that is being set up calls every second; only calls with a valid proof count. */
export const CONNECTS_PER_DEVICE: RateRule = {
  name: 'connect-device',
  points: 120,
  durationS: MINUTE_S,
  perProcess: true,
};

/** Calls of one device that suspend what it lets others write: each is a mail, and records for all that it names. */
export const SUSPENSIONS_PER_DEVICE: RateRule = {
  name: 'suspensions-device',
  points: 20,
  durationS: 24 * HOUR_S,
  perProcess: true,
};

/** Devices that call for the first time: invented keys must not fill the table. */
export const ENROLMENTS_PER_ADDRESS: RateRule = { name: 'enrol-address', points: 500, durationS: HOUR_S };

/** Failed look-ups of uids; successful ones do not count. */
export const MISSES_PER_CALLER: RateRule = { name: 'uid-caller', points: 60, durationS: 10 * MINUTE_S };
export const MISSES_PER_ADDRESS: RateRule = { name: 'uid-address', points: 300, durationS: 10 * MINUTE_S };
