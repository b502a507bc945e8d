import type { RetrySteps } from '../retry.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Lifetime of mailed links, in milliseconds after sending. */
export const LINK_LIFETIMES_MS = {
  confirm: 24 * HOUR_MS,
  email_change: 24 * HOUR_MS,
  reset: 2 * HOUR_MS,
  invite: 7 * 24 * HOUR_MS,
} as const;

export interface MailTiming {
  readonly retries: RetrySteps;
  /** Deadline of one delivery, in milliseconds. */
  readonly deliveryMs: number;
  /** A mail passes to another process after this silence of the first, in milliseconds; longer than `deliveryMs`. */
  readonly leaseMs: number;
  /** `stop` waits this long for mails in delivery, in milliseconds. */
  readonly stopMs: number;
}

export const MAIL_TIMING: MailTiming = {
  // Of the operator's own mail server, whose mails people wait for.
  retries: {
    waitsMs: [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000, 900_000],
    jitter: 1,
  },
  deliveryMs: 50_000,
  leaseMs: 60_000,
  stopMs: 5_000,
};
