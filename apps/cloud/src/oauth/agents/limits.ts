import type { RateRule } from '../../common/limits/rate-limits.ts';

const HOUR_S = 60 * 60;

/** Registrations tried from one network; one of an agent that runs on a server may be many people's. */
export const REGISTRATIONS_PER_NETWORK: RateRule = {
  name: 'agent-register-network',
  points: 20,
  durationS: HOUR_S,
};

/** Stored agents of all networks; unused ones are deleted after a day. */
export const REGISTRATIONS: RateRule = { name: 'agent-register', points: 1_000, durationS: HOUR_S };

/** Documents about agents fetched for clients of one network. */
export const DOCUMENTS_PER_NETWORK: RateRule = {
  name: 'agent-document-network',
  points: 60,
  durationS: HOUR_S,
};

/** Documents fetched from one host for all clients, so that the cloud cannot be used to flood others. */
export const DOCUMENTS_PER_HOST: RateRule = { name: 'agent-document-host', points: 600, durationS: HOUR_S };

/** How long a document that was no good is not asked for again, in milliseconds. */
export const FAILURE_LIFETIME_MS = 30_000;
