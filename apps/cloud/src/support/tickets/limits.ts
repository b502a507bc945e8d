import type { RateRule } from '../../common/limits/rate-limits.ts';

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/** For each account. */
export const NEW_TICKETS: RateRule = { name: 'tickets', points: 20, durationS: DAY_S };
export const REPLIES: RateRule = { name: 'ticket-replies', points: 60, durationS: HOUR_S };

/** For each account, in KiB, which a file fills up to the next whole one. */
export const UPLOADED_KIB: RateRule = { name: 'ticket-uploads', points: 100 * 1024, durationS: DAY_S };

/** The same text from the same person within this time is a second click, in milliseconds. */
export const REPEAT_MS = 60 * 1000;
