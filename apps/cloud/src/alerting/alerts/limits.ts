import type { RateRule } from '../../common/limits/rate-limits.ts';

const HOUR_S = 60 * 60;

/** A device sends each change, and the past after an outage. */
export const UPLOADS_PER_DEVICE: RateRule = { name: 'alerts-device', points: 240, durationS: HOUR_S };

/** Alerts in these, new and changed ones: more than a device keeps. */
export const ALERTS_PER_DEVICE: RateRule = { name: 'alerts-sent', points: 3_000, durationS: HOUR_S };
