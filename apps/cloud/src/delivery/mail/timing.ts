const HOUR_MS = 60 * 60 * 1000;

/** Lifetime of mailed links, in milliseconds after sending. */
export const LINK_LIFETIMES_MS = {
  confirm: 24 * HOUR_MS,
  email_change: 24 * HOUR_MS,
  reset: 2 * HOUR_MS,
  invite: 7 * 24 * HOUR_MS,
} as const;

export interface MailTiming {
  /** The first wait is between one and two times this, in seconds; every further one is twice as long. */
  readonly firstRetryS: number;
  /** Longest wait between two tries, in seconds. */
  readonly longestRetryS: number;
  /** Tries after the first one. */
  readonly retries: number;
  /** Polling interval besides the queue's notifications, in seconds; at least 0.5. */
  readonly pollS: number;
  /** Deadline of one delivery, in milliseconds. */
  readonly deliveryMs: number;
  /** A mail passes to another process after this silence of the first, in seconds; longer than `deliveryMs`. */
  readonly expiryS: number;
  /** Interval at which such mails are looked for, in seconds. */
  readonly superviseS: number;
  /** `stop` waits this long for mails in delivery, in milliseconds. */
  readonly stopMs: number;
}

/** Seven waits grow to the longest; 300 more of 15 minutes make a good three days. */
export const MAIL_TIMING: MailTiming = {
  firstRetryS: 5,
  longestRetryS: 15 * 60,
  retries: 307,
  pollS: 2,
  deliveryMs: 50_000,
  expiryS: 60,
  superviseS: 30,
  stopMs: 5_000,
};
