import type { OneTimePurpose } from '../../db/one-time-tokens.ts';

/** Where the sign-in page takes the token of each kind of link. */
const FRAGMENTS = { confirm: 'confirm', reset: 'password/reset', invite: 'password/set' } as const;

export type LinkPurpose = keyof typeof FRAGMENTS & OneTimePurpose;

/**
 * The link of a mail. Its token stands behind the `#`, which browsers tell no server.
 *
 * @param siteId the site that somebody is invited to
 */
export function linkTo(portal: string, purpose: LinkPurpose, token: string, siteId: number | null): string {
  const query = siteId === null ? '' : `?site_id=${siteId}`;
  return `${portal}/sign_in#${FRAGMENTS[purpose]}/${token}${query}`;
}

/** The link of a mail that leads to a page of the portal, where the reader signs in. */
export function pageLink(portal: string, path: string): string {
  return `${portal}${path}`;
}
