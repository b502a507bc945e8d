import {
  EMAIL_PATTERN,
  MAX_ID,
  MAX_LIMIT,
  MAX_PERSON_NAME_LENGTH,
  SITE_ROLES,
  type SiteRole,
} from '@heliograph/contracts';
import {
  AMBIGUOUS_EMAIL_ADDRESS,
  type CanonicalEmail,
  canonicalEmail,
} from '@heliograph/contracts/email-address';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS = 36_500;

/** Options of every list. */
export const PAGE_OPTIONS = {
  limit: { type: 'string', default: '100' },
  offset: { type: 'string', default: '0' },
} as const;

export const PAGE_HELP = `  --limit N   at most N, 1 to ${MAX_LIMIT} (default 100)
  --offset N  leave out the first N`;

/** @throws UsageError */
export function pageOf({ limit, offset }: { limit: string; offset: string }) {
  return {
    limit: wholeNumber('--limit', limit, 1, MAX_LIMIT),
    offset: wholeNumber('--offset', offset, 0, MAX_ID),
  };
}

/** Arguments of a list with a search that an organization can limit. @throws UsageError */
export function searchOf(args: readonly string[]) {
  const { values, positionals } = parseArguments(args, {
    organization: { type: 'string' },
    ...PAGE_OPTIONS,
  });
  const organizationId = optionalId('--organization', values.organization);
  const query = {
    ...pageOf(values),
    q: positionals.join(' '),
    ...(organizationId !== null && { organization_id: organizationId }),
  };
  return { organizationId, query };
}

/** @throws UsageError */
export function wholeNumber(what: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${what} must be a whole number from ${min} to ${max}`);
}

/** The id of a record. @throws UsageError */
export function idOf(what: string, text: string): number {
  return wholeNumber(what, text, 1, MAX_ID);
}

/** The only argument of a command that is about a record. @throws UsageError */
export function onlyId(given: readonly string[]): number {
  expectArguments(given, ['id']);
  return idOf('<id>', given[0] ?? '');
}

const EMAIL = new RegExp(EMAIL_PATTERN);
const MAX_EMAIL_LENGTH = 320;

/** The only argument of a command that is about an account. @throws UsageError */
export function onlyEmail(given: readonly string[]): string {
  expectArguments(given, ['email']);
  return emailOf(given[0]);
}

/** @throws UsageError */
export function emailOf(email = ''): string {
  if (email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email)) return email.trim();
  throw new UsageError(`"${email}" is not an email address`);
}

/** The address that an account is to have. @throws UsageError */
export function newEmailOf(email = ''): CanonicalEmail {
  const canonical = canonicalEmail(emailOf(email));
  if (canonical === undefined) throw new UsageError(`"${email}" ${AMBIGUOUS_EMAIL_ADDRESS}`);
  return canonical;
}

/** A first or last name of a person. @throws UsageError */
export function optionalName(what: string, text: string | undefined): string | undefined {
  if (text === undefined || text.length <= MAX_PERSON_NAME_LENGTH) return text?.normalize('NFC');
  throw new UsageError(`${what} must have at most ${MAX_PERSON_NAME_LENGTH} characters`);
}

/** @returns null when the option is not there @throws UsageError */
export function optionalId(what: string, text: string | undefined): number | null {
  return text === undefined ? null : idOf(what, text);
}

/** @throws UsageError */
export function roleOf(text: string): SiteRole {
  return oneOf('--role', text, SITE_ROLES);
}

/** @throws UsageError */
export function oneOf<const T extends string>(what: string, text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw new UsageError(`${what} must be one of ${values.join(', ')}`);
  return value;
}

/** The end of a number of days from now. @returns null without the option @throws UsageError */
export function endOf(days: string | undefined, nowMs: number): Date | null {
  return days === undefined ? null : new Date(nowMs + wholeNumber('--expires', days, 1, MAX_DAYS) * DAY_MS);
}

/** @throws UsageError when an option that is needed is not there */
export function required(what: string, text: string | undefined): string {
  if (text === undefined) throw new UsageError(`${what} is missing`);
  return text;
}
