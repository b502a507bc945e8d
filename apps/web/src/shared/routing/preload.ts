import type { LoadTexts } from 'virtual:texts';
import { parse } from 'regexparam';
import { preloadJson, preloadPost } from '../browser/preloaded-requests.ts';
import { fillShell } from './fill-shell.ts';
import type { FirstRequests, PageSource } from './page-source.ts';

/** How long a page waits for the data that it shows first, in milliseconds. */
const DATA_PATIENCE_MS = 400;

/**
 * Whether the reader is probably signed in: the server has seen a cookie of a session. It only decides what to load
 * first; the session itself decides what a page shows.
 */
export const isProbablySignedIn = document.documentElement.hasAttribute('data-session');

/** The page that a router will find at a path: the first of a table that matches. */
export function sourceAt<Source extends PageSource>(
  sources: readonly Source[],
  path: string,
): Source | undefined {
  return sources.find((source) => parse(source.path).pattern.test(path));
}

/** The pages of the first view. */
interface PreloadedPages {
  readonly sources: readonly PageSource[];
  /**
   * Resolves when everything has loaded, with the data of the first view, or failed: the page that shows it tries
   * again.
   */
  readonly loaded: Promise<unknown>;
}

/**
 * Loads pages, what shows within them, and their texts, while the libraries that they stand on are still on their way:
 * on a slow line one after the other would be most of the wait.
 */
export function preloadPages(
  pages: readonly (PageSource | undefined)[],
  loadTexts: LoadTexts,
): PreloadedPages {
  const sources = pages
    .filter((page) => page !== undefined)
    .flatMap((page) => [page, sourceAt(page.parts ?? [], location.pathname)])
    .filter((page) => page !== undefined);
  const namespaces = new Set(sources.flatMap((source) => source.texts));
  // The server has written the page's language there, as a tag such as `zh-CN`.
  const locale = document.documentElement.lang.replace('-', '_');
  const at = new URL(location.href);
  for (const source of sources) request(source.preload?.(at) ?? {});
  const loaded = Promise.allSettled([
    ...sources.map(async ({ load }) => {
      const { loader } = await load();
      if (loader !== undefined) await Promise.race([loader(), soon()]);
    }),
    ...[...namespaces].map((namespace) => loadTexts(locale, namespace)),
  ]);
  return { sources, loaded };
}

function request({ gets = [], posts = [], shell }: FirstRequests): void {
  gets.forEach(preloadPath);
  posts.forEach(preloadPost);
  if (shell === undefined) return;
  void Promise.all(shell.gets.map(preloadJson)).then((answers) => {
    const fields = answers.includes(undefined) ? undefined : shell.fields(answers);
    if (fields !== undefined) fillShell(fields);
  });
}

/** A page whose data take longer shows without them, with a loading indicator. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, DATA_PATIENCE_MS));
}

/** The first `fetch` of this path gets the answer; with it goes the browser's own cookie, as with that of a script. */
function preloadPath(path: string): void {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: path });
  document.head.append(link);
}
