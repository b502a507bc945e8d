import { tabStorage } from '../../../../shared/browser/browser-storage.ts';

/** When a tab went to a site. */
export interface SiteRedirect {
  readonly site: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** A site that sends its visitor back so often within this time, in milliseconds, refuses every token. */
const LOOP = { openings: 3, withinMs: 30_000 };

/**
 * Whether a tab came back from a site again and again.
 *
 * @param before its openings so far
 * @returns the openings to remember: of a loop none, so that the next attempt counts again
 */
export function detectRedirectLoop(
  before: readonly SiteRedirect[],
  { site, at }: SiteRedirect,
): { readonly isLoop: boolean; readonly openings: readonly SiteRedirect[] } {
  const lately = before.filter((opening) => opening.site === site && at - opening.at < LOOP.withinMs);
  const isLoop = lately.length >= LOOP.openings;
  return { isLoop, openings: isLoop ? [] : [...lately, { site, at }] };
}

/** The key in the session storage. */
const KEY = 'heliograph-openings';

/** Remembers that this tab goes to a site now. @returns whether it goes round and round */
export function recordRedirect(site: string): boolean {
  const before: SiteRedirect[] = JSON.parse(tabStorage.get(KEY) ?? '[]');
  const { isLoop, openings } = detectRedirectLoop(before, { site, at: Date.now() });
  tabStorage.set(KEY, JSON.stringify(openings));
  return isLoop;
}
