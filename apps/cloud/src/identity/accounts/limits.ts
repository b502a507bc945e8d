import type { RateRule } from '../../common/limits/rate-limits.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Failed sign-ins from one network, of all accounts: a whole company shares one address. */
export const SIGN_INS_PER_ADDRESS: RateRule = {
  name: 'sign-in-address',
  points: 50,
  durationS: 15 * MINUTE_S,
};

/** Failed sign-ins of one account from one network. */
export const SIGN_INS_PER_PAIR: RateRule = { name: 'sign-in-pair', points: 10, durationS: 15 * MINUTE_S };

/** Failed sign-ins of one account from everywhere that it never signed in from. */
export const SIGN_INS_PER_EMAIL: RateRule = { name: 'sign-in-email', points: 30, durationS: HOUR_S };

/** Wrong passwords in sessions of one account, from all networks. */
export const CONFIRMATIONS_PER_ACCOUNT: RateRule = {
  name: 'session-confirm-account',
  points: 30,
  durationS: HOUR_S,
};

/** Sign-ins by a passkey alone from one network. */
export const PASSKEY_SIGN_INS_PER_ADDRESS: RateRule = {
  name: 'passkey-sign-in-address',
  points: 50,
  durationS: 15 * MINUTE_S,
};

/** Challenges for signing in by a passkey alone, from one network. */
export const PASSKEY_CHALLENGES_PER_ADDRESS: RateRule = {
  name: 'passkey-challenge-address',
  points: 200,
  durationS: 15 * MINUTE_S,
};

/** Complete registrations from one network, accepted or not. */
export const REGISTRATIONS_PER_ADDRESS: RateRule = {
  name: 'register-address',
  points: 30,
  durationS: HOUR_S,
};

/** Registrations for one email address: each one reveals whether the address has an account. */
export const REGISTRATIONS_PER_EMAIL: RateRule = { name: 'register-email', points: 10, durationS: HOUR_S };

/** Confirmation mails to one account. Beyond the limit no more are sent; links already sent remain valid. */
export const CONFIRMATION_MAILS: RateRule = { name: 'confirmation-mails', points: 20, durationS: DAY_S };

/** Shortest time between two confirmation mails to one account, in milliseconds. */
export const CONFIRMATION_MAIL_GAP_MS = 60_000;

/** New email addresses that one account asks for: each leads to two mails. */
export const EMAIL_CHANGES_PER_ACCOUNT: RateRule = {
  name: 'email-change-account',
  points: 10,
  durationS: HOUR_S,
};

/**
 * Mails to one address that is to become that of an account. Beyond the limit requests get the usual answer, and no such
 * mail is sent: a refusal would disclose what other accounts ask for.
 */
export const EMAIL_CHANGE_MAILS: RateRule = { name: 'email-change-mails', points: 10, durationS: HOUR_S };

/** Requests for a new password from one network. */
export const RESETS_PER_ADDRESS: RateRule = { name: 'reset-address', points: 30, durationS: HOUR_S };

/** Requests for a new password for one email address from one network. */
export const RESETS_PER_PAIR: RateRule = { name: 'reset-pair', points: 5, durationS: HOUR_S };

/**
 * Reset mails to one email address. Beyond the limit requests get the usual answer, and no mail is sent: a refusal
 * would let a stranger lock the owner out, whose mailbox holds valid links by then.
 */
export const RESET_MAILS: RateRule = { name: 'reset-mails', points: 10, durationS: HOUR_S };
