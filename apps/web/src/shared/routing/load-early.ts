import { parse } from 'regexparam';
import { type TextFiles, textPath } from '../i18n/text-files.ts';
import type { PageSource } from './page-source.ts';

/**
 * Whether whoever opened this page is probably signed in: the server has seen a cookie of a session. What a page shows
 * follows from the session itself; this only tells what to load while that is asked for.
 */
export const isProbablySignedIn = document.documentElement.hasAttribute('data-session');

/** The page that a router will find at a path: the first of a table that matches. */
export function sourceAt<Source extends PageSource>(
  sources: readonly Source[],
  path: string,
): Source | undefined {
  return sources.find((source) => parse(source.path).pattern.test(path));
}

/**
 * Loads a page, what shows within it, and their texts, while the libraries that they stand on are still on their way: on
 * a slow line one after the other would be most of the wait.
 *
 * @returns when all is there, or failed: whoever shows the page asks again, and says what is wrong
 */
export async function loadEarly(source: PageSource | undefined, texts: TextFiles): Promise<void> {
  if (source === undefined) return;
  const part = sourceAt(source.parts ?? [], location.pathname);
  const namespaces = new Set([...source.texts, ...(part?.texts ?? [])]);
  // The server has written the page's language there, as a tag such as `zh-CN`.
  const locale = document.documentElement.lang.replace('-', '_');
  if (source.asks !== undefined) askEarly(source.asks(new URLSearchParams(location.search)));
  await Promise.allSettled([
    source.load(),
    part?.load(),
    ...[...namespaces].map((namespace) => texts[textPath(locale, namespace)]?.()),
  ]);
}

/** The first `fetch` of this path gets the answer; with it goes the browser's own cookie, as with that of a script. */
function askEarly(path: string): void {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: path });
  document.head.append(link);
}
