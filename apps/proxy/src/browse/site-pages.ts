import type { SiteLocation } from '@heliograph/contracts';
import type { Refusal } from '../http/refuse.ts';
import type { Page } from './page.ts';
import { ago, utc } from './relative-time.ts';

/** How soon a browser asks again for a site that could not be reached, in seconds. */
const RETRY_S = 15;

/** The location of a site; undefined while the cloud is unreachable. */
export type KnownLocation = Pick<SiteLocation, 'online' | 'last_seen_at'> | undefined;

export function unknownSitePage(name: string): Page {
  return {
    status: 404,
    title: `There is no site ${name}`,
    paragraphs: ['<p>It may have been renamed. Its members see its address in their list of sites.</p>'],
  };
}

/** Shown while the cloud, without which a link cannot be checked, is out of reach. */
export function unverifiedLinkPage(name: string): Page {
  return unreachable(`${name} cannot be opened right now`, [
    '<p>The link to it cannot be checked at the moment.</p>',
  ]);
}

/**
 * @param refusal why the request did not reach the site's device
 * @param requestId which a visitor may quote to the operator, except of a site that is merely offline
 */
export function siteUnreachablePage(
  name: string,
  refusal: Refusal,
  location: KnownLocation,
  nowMs: number,
  requestId: string,
): Page {
  const offline = location?.online === false;
  const title = offline ? `${name} is offline` : `${name} cannot be reached right now`;
  const reason = offline ? offlineSince(location, nowMs) : `<p>${refusal.error}.</p>`;
  const quote = offline ? [] : [`<p class="next">Request ${requestId}</p>`];
  return unreachable(title, [reason, ...quote]);
}

function unreachable(title: string, paragraphs: readonly string[]): Page {
  const next = `<p class="next">This page tries again every ${RETRY_S} seconds.</p>`;
  return { status: 503, title, paragraphs: [...paragraphs, next], retryS: RETRY_S };
}

function offlineSince({ last_seen_at: seen }: NonNullable<KnownLocation>, nowMs: number): string {
  const seenMs = seen === null ? Number.NaN : Date.parse(seen);
  if (Number.isNaN(seenMs)) return '<p>Its device has not been online yet.</p>';
  const time = `<time datetime="${new Date(seenMs).toISOString()}">${utc(seenMs)}</time>`;
  return `<p>Its device was last online ${ago(nowMs - seenMs)}, on ${time}.</p>`;
}
