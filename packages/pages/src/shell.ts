import { randomBytes } from 'node:crypto';
import { tagOf } from '@heliograph/contracts';
import { type BuiltPages, type PageEntry, readBuiltPages, type SessionHint } from './built-pages.ts';
import type { Preferences } from './preferences.ts';

/** Locale namespaces of an application's first view. */
const FIRST_NAMESPACES: Readonly<Record<PageEntry, readonly string[]>> = {
  portal: ['shared', 'portal'],
  device: ['shared', 'device'],
  catalogue: ['shared'],
  docs: [],
  offline: [],
};

export interface Shell {
  readonly html: string;
  /** Random for every page, so that markup of another page cannot carry it. */
  readonly nonce: string;
}

/** The request that a page is rendered for. */
export interface Visit extends Preferences {
  readonly path: string;
  /** Undefined: the page shows nothing before its scripts run. */
  readonly sessionHint: SessionHint | undefined;
}

/** Makes the HTML that starts an application. @throws NotBuilt */
export function renderShell(entry: PageEntry, visit: Visit, pages = readBuiltPages()): Shell {
  const { locale, path, scheme, sessionHint } = visit;
  const nonce = randomBytes(18).toString('base64');
  const firstView = sessionHint === undefined ? '' : pages.prerendered(entry, path, sessionHint, locale);
  const isWhole = entry === 'offline';
  const root = `<div id="root"${firstView === '' || isWhole ? '' : ' aria-busy="true"'}>${firstView}</div>`;
  const html = pages
    .html(entry)
    .replaceAll('%NONCE%', nonce)
    .replace('lang="en"', `lang="${tagOf(locale)}"${sessionHint === 'signed-in' ? ' data-session' : ''}`)
    .replace(' data-mantine-color-scheme="%SCHEME%"', schemeAttribute(scheme))
    .replace('</head>', `${preloadLinks(pages, entry, visit)}</head>`)
    // A function, since `$` has a meaning in a replacement string.
    .replace('<div id="root"></div>', () => `${root}${isWhole ? '' : pages.slowLoadNotice(locale)}`);
  return { html, nonce };
}

/** Preloads the texts, which a browser would otherwise request only after the scripts have run. */
function preloadLinks(pages: BuiltPages, entry: PageEntry, { locale }: Preferences): string {
  return pages
    .localeChunks(locale, FIRST_NAMESPACES[entry])
    .map((path) => `<link rel="modulepreload" crossorigin href="${path}">`)
    .join('');
}

/** Without the attribute the page follows the system from its first pixel on. */
function schemeAttribute(scheme: Preferences['scheme']): string {
  return scheme === 'auto' ? '' : ` data-mantine-color-scheme="${scheme}"`;
}
