const HOUR_MS = 60 * 60 * 1000;

/** How long the links in mails are good, in milliseconds after the mail left. */
export const LINK_LIFETIMES_MS = {
  confirm: 24 * HOUR_MS,
  reset: 2 * HOUR_MS,
  invite: 7 * 24 * HOUR_MS,
} as const;

/** How often, how long and how patiently a mail is tried. */
export interface MailTiming {
  /** The first wait is between one and two of these, in seconds; every further one is twice as long. */
  readonly firstRetryS: number;
  /** Longest wait between two tries, in seconds. */
  readonly longestRetryS: number;
  /** Tries after the first one. */
  readonly retries: number;
  /** How often the queue is looked at besides the notifications that it sends, in seconds; at least 0.5. */
  readonly pollS: number;
  /** Longest a mail server may take over one mail, in milliseconds. */
  readonly deliveryMs: number;
  /** When a mail whose process gave no more sign is given to another one, in seconds; longer than `deliveryMs`. */
  readonly expiryS: number;
  /** How often such mails are looked for, in seconds. */
  readonly superviseS: number;
  /** How long stopping waits for mails that are being sent, in milliseconds. */
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
