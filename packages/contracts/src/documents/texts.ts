import type { Refusal, Requirement } from '../common/operation.ts';

/** Descriptions of answers without one of their own. */
export const STATUS_NAMES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  302: 'Found',
  303: 'See Other',
};

export const REFUSAL_DESCRIPTIONS: Readonly<Record<Refusal, string>> = {
  400: 'Something required is missing, of another type, or cannot be read',
  401: 'The token is missing, has expired or is invalid',
  403: 'The token lacks the scope, or the account may not do this',
  404: 'There is no such record, or none that the account may see',
  409: 'Something else is under way, or happened in between',
  412: 'The email address is not confirmed yet, or a second factor has to be shown',
  413: 'The body is too large',
  415: 'The body is not of the type that is expected by its Content-Type, in a charset other than UTF-8, or compressed',
  422: 'Understood, but refused: what is wrong with which field, or a reason',
  429: 'Too many requests: try again later',
  502: 'Through the proxy: the connection to the device was lost, and the request may have been carried out',
  503: 'Temporarily unavailable; of a device also through the proxy while it is offline',
  504: 'Through the proxy: the device did not answer in time, and the request may have been carried out',
};

/** Refusals that have `Retry-After`. */
export const PASSING_REFUSALS: readonly number[] = [429, 503];

/** The description of 401 where no bearer token is accepted. */
export const WRONG_CREDENTIALS = 'Wrong email or password, or a token in the body that is no longer good';

const FRESH =
  'Needs the token of a session whose person has signed in, or proved again who they are, within 15 minutes.';

/** The sentence about callers in an operation's description; undefined for an operation open to anyone. */
export function describeRequirement(requires: Requirement): string | undefined {
  if (typeof requires === 'object') {
    if (requires.length === 0) return 'Needs any valid token.';
    return `Needs a token with the scope ${requires.map((scope) => `\`${scope}\``).join(' or ')}.`;
  }
  return REQUIREMENTS[requires];
}

const REQUIREMENTS: Readonly<Record<Exclude<Requirement, object>, string | undefined>> = {
  nothing: undefined,
  session: 'Needs the token of a session: what only the person may do.',
  own_token: "Needs the token of a session, or an API token of the account's own with any scope.",
  fresh_session: FRESH,
  enrolment: `${FRESH} In its place does the \`pending_token\` of a sign-in that waits for a first second factor.`,
  proxy: 'Needs the credential of the proxy.',
  device: 'Needs the proof of the device.',
  read: 'Needs the device password or a site token.',
  write: 'Needs the device password, or a site token that may write.',
  configure: 'Needs the device password, or a site token that may configure the device.',
  own_page: "For the device's own pages, on the network that the device is on.",
  first_run: 'For the network that the device is on, while the device has no password.',
};
