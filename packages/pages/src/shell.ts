import { randomBytes } from 'node:crypto';
import { type BuiltPages, NotBuilt, type PageEntry, readBuiltPages } from './built-pages.ts';
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

/** Makes the HTML that starts an application; the files were read once. */
export class ShellMaker {
  readonly #pages: BuiltPages;
  readonly #entry: PageEntry;
  readonly #html: string;

  /** @throws NotBuilt */
  constructor(entry: PageEntry, pages = readBuiltPages()) {
    this.#pages = pages;
    this.#entry = entry;
    this.#html = pages.html(entry);
    if (!this.#html.includes('</head>')) throw new NotBuilt(`${entry}.html is no page: npm run build`);
  }

  make({ locale, scheme }: Preferences): Shell {
    const nonce = randomBytes(18).toString('base64');
    const texts = this.#pages
      .texts(locale, FIRST_TEXTS[this.#entry])
      .map((path) => `<link rel="modulepreload" crossorigin href="${path}">`);
    const html = this.#html
      .replaceAll('%NONCE%', nonce)
      .replace('lang="en"', `lang="${tagOf(locale)}"`)
      .replace(' data-mantine-color-scheme="%SCHEME%"', schemeAttribute(scheme))
      .replace('</head>', `${texts.join('')}</head>`);
    return { html, nonce };
  }
}

/** Without the attribute the page follows the system from its first pixel on. */
function schemeAttribute(scheme: Preferences['scheme']): string {
  return scheme === 'auto' ? '' : ` data-mantine-color-scheme="${scheme}"`;
}
