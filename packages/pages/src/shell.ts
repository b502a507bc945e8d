import { randomBytes } from 'node:crypto';
import { type BuiltPages, type PageEntry, readBuiltPages, type Who } from './built-pages.ts';
import { tagOf } from './language.ts';
import type { Preferences } from './preferences.ts';

/** The texts that an application's first view needs. */
const FIRST_TEXTS: Readonly<Record<PageEntry, readonly string[]>> = {
  portal: ['shared', 'portal'],
  device: ['shared', 'device'],
  catalogue: ['shared'],
};

export interface Shell {
  readonly html: string;
  /** Fresh for every page: what came with another one does not know it. */
  readonly nonce: string;
}

/** For whom a page is made, and where it stands. */
export interface Visit extends Preferences {
  readonly path: string;
  /** Left out where nothing tells: the page says nothing before it knows. */
  readonly who: Who | undefined;
}

/** Makes the HTML that starts an application. @throws NotBuilt */
export function makeShell(entry: PageEntry, visit: Visit, pages = readBuiltPages()): Shell {
  const { locale, path, scheme, who } = visit;
  const nonce = randomBytes(18).toString('base64');
  const words = who === undefined ? '' : pages.words(entry, path, who, locale);
  const root = `<div id="root"${words === '' ? '' : ' aria-busy="true"'}>${words}</div>`;
  const html = pages
    .html(entry)
    .replaceAll('%NONCE%', nonce)
    .replace('lang="en"', `lang="${tagOf(locale)}"${who === 'signed-in' ? ' data-session' : ''}`)
    .replace(' data-mantine-color-scheme="%SCHEME%"', schemeAttribute(scheme))
    .replace('</head>', `${earlyTexts(pages, entry, visit)}</head>`)
    // By a function: in a text a `$` would stand for something else.
    .replace('<div id="root"></div>', () => `${root}${pages.waiting(locale)}`);
  return { html, nonce };
}

/** Otherwise a browser would learn of them after the scripts have run. */
function earlyTexts(pages: BuiltPages, entry: PageEntry, { locale }: Preferences): string {
  return pages
    .texts(locale, FIRST_TEXTS[entry])
    .map((path) => `<link rel="modulepreload" crossorigin href="${path}">`)
    .join('');
}

/** Without the attribute the page follows the system from its first pixel on. */
function schemeAttribute(scheme: Preferences['scheme']): string {
  return scheme === 'auto' ? '' : ` data-mantine-color-scheme="${scheme}"`;
}
