import type { RateRule } from '../../common/limits/rate-limits.ts';

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/** An invitation reveals whether an address has an account: this bounds the number of probes. */
export const INVITATIONS_PER_CALLER: RateRule = { name: 'invite-caller', points: 60, durationS: HOUR_S };

export const INVITATIONS_PER_ADDRESS: RateRule = { name: 'invite-address', points: 120, durationS: HOUR_S };

/** One caller's invitations of one person to one site or team. */
export const INVITATIONS_PER_PERSON: RateRule = { name: 'invite-person', points: 5, durationS: DAY_S };

/**
 * Invitation mails to one address, from all callers. Invitations beyond are accepted without a mail: a refusal would let
 * one caller keep others from inviting.
 */
export const INVITATION_MAILS: RateRule = { name: 'invite-mails', points: 10, durationS: DAY_S };

/** Mails to one person, who can sign in, that one site invites to one role: the person accepts or declines at the portal. */
export const SITE_INVITATION_MAILS: RateRule = {
  name: 'site-invite-mails',
  points: 1,
  durationS: 30 * DAY_S,
};

/** Shortest time between two invitations mailed to one account, in milliseconds. */
export const INVITATION_MAIL_GAP_MS = 5 * 60 * 1000;
