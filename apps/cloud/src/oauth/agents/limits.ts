import type { RateRule } from '../../limits/rate-limits.ts';

const HOUR_S = 60 * 60;

/** Registrations tried from one network; one of an agent that runs on a server may be many people's. */
export const REGISTRATIONS_PER_NETWORK: RateRule = {
  name: 'agent-register-network',
  points: 20,
  durationS: HOUR_S,
};

/** Agents that are stored, wherever they are from: those that nobody uses are kept for a day. */
export const REGISTRATIONS: RateRule = { name: 'agent-register', points: 1_000, durationS: HOUR_S };

/** Documents about agents that are fetched because somebody at one network named them. */
export const DOCUMENTS_PER_NETWORK: RateRule = {
  name: 'agent-document-network',
  points: 60,
  durationS: HOUR_S,
};

/** Documents fetched from one host, whoever named them: the cloud is no means to flood others with. */
export const DOCUMENTS_PER_HOST: RateRule = { name: 'agent-document-host', points: 600, durationS: HOUR_S };

/** How long a document that was no good is not asked for again, in milliseconds. */
export const FAILURE_LIFETIME_MS = 30_000;
