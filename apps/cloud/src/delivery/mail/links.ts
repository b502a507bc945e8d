import type { OneTimePurpose } from '../../db/one-time-tokens.ts';

/** Fragment of the sign-in page for the token of each kind of link. */
const FRAGMENTS = {
  confirm: 'confirm',
  email_change: 'email',
  reset: 'password/reset',
  invite: 'password/set',
} as const;

export type LinkPurpose = keyof typeof FRAGMENTS & OneTimePurpose;

/**
 * The link of a mail. Its token is in the fragment, which browsers do not send to servers.
 *
 * @param siteId the site of an invitation
 */
export function linkTo(portal: string, purpose: LinkPurpose, token: string, siteId: number | null): string {
  const query = siteId === null ? '' : `?site_id=${siteId}`;
  return `${portal}/sign_in#${FRAGMENTS[purpose]}/${token}${query}`;
}

/** A link without a token to a page of the portal, where the reader signs in. */
export function pageLink(portal: string, path: string): string {
  return `${portal}${path}`;
}

/** The path of a page of those who handle tickets and sell. @param organizationId null for operators */
export function staffPath(organizationId: number | null, path: string): string {
  return organizationId === null ? `/operator${path}` : `/organizations/${organizationId}${path}`;
}
