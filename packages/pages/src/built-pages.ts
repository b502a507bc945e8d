import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which application a page runs. */
export type PageEntry = 'portal' | 'device' | 'catalogue';

/** Where `npm run build` puts the pages. */
export const BUILT_PAGES = join(import.meta.dirname, '../../../apps/web/dist');

/** The texts of a language are chunks of their own. */
interface Chunk {
  readonly file: string;
}

/** What was built, as far as a server has to know it. */
export interface BuiltPages {
  /** The folder of hashed files. */
  readonly assets: string;
  /** The HTML of an application, with placeholders. */
  html(entry: PageEntry): string;
  /** Paths of the chunks with an application's first texts in a language. */
  texts(locale: string, namespaces: readonly string[]): string[];
}

/** Nobody has built the pages; what serves them can do all the same. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt';
}

/** @throws NotBuilt */
export function readBuiltPages(folder = BUILT_PAGES): BuiltPages {
  const manifestFile = join(folder, 'manifest.json');
  if (!existsSync(manifestFile)) throw new NotBuilt('The pages are not built: npm run build');
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(manifestFile, 'utf8'));
  return {
    assets: join(folder, 'assets'),
    html: (entry) => readFileSync(join(folder, `${entry}.html`), 'utf8'),
    texts: (locale, namespaces) =>
      namespaces.flatMap((namespace) => {
        const chunk = manifest[`src/locales/${locale}/${namespace}.json`];
        return chunk === undefined ? [] : [`/${chunk.file}`];
      }),
  };
}
