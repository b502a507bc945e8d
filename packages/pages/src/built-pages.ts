import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Which application a page runs. */
export type PageEntry = 'portal' | 'device' | 'catalogue';

/** Where `npm run build` puts the pages. */
const BUILT_PAGES = join(import.meta.dirname, '../../../apps/web/dist');

const MANIFEST = join(BUILT_PAGES, 'manifest.json');

/** Hashed files. */
export const ASSETS = join(BUILT_PAGES, 'assets');

/** What was built, as far as a server has to know it. */
export interface BuiltPages {
  /** The HTML of an application, with placeholders. */
  html(entry: PageEntry): string;
  /** Paths of the chunks with an application's texts in a language. */
  texts(locale: string, namespaces: readonly string[]): string[];
}

/** Nobody has built the pages; what serves them can do all else. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt';
}

let read: { readonly builtAtMs: number; readonly pages: BuiltPages } | undefined;

/** What is built now: a build while a server runs is served from the next page on. @throws NotBuilt */
export function readBuiltPages(): BuiltPages {
  const builtAtMs = statSync(MANIFEST, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAtMs === undefined) throw new NotBuilt('The pages are not built: npm run build');
  if (read?.builtAtMs !== builtAtMs) read = { builtAtMs, pages: readFiles() };
  return read.pages;
}

function readFiles(): BuiltPages {
  const manifest: Readonly<Record<string, { readonly file: string }>> = JSON.parse(
    readFileSync(MANIFEST, 'utf8'),
  );
  const html = new Map<PageEntry, string>();
  return {
    html(entry) {
      const text = html.get(entry) ?? readFileSync(join(BUILT_PAGES, `${entry}.html`), 'utf8');
      html.set(entry, text);
      return text;
    },
    texts: (locale, namespaces) =>
      namespaces.flatMap((namespace) => {
        const chunk = manifest[`src/locales/${locale}/${namespace}.json`];
        return chunk === undefined ? [] : [`/${chunk.file}`];
      }),
  };
}
