import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Which application a page runs. */
export type PageEntry = 'portal' | 'device' | 'catalogue';

/** Where `npm run build` puts the pages. */
const BUILT_PAGES = join(import.meta.dirname, '../../../apps/web/dist');

const MANIFEST = join(BUILT_PAGES, 'manifest.json');
const FIRST_WORDS = join(BUILT_PAGES, 'first-words.json');

/** Hashed files. */
export const ASSETS = join(BUILT_PAGES, 'assets');

/** What was built, as far as a server has to know it. */
export interface BuiltPages {
  /** The HTML of an application, with placeholders. */
  html(entry: PageEntry): string;
  /** Paths of the chunks with an application's texts in a language. */
  texts(locale: string, namespaces: readonly string[]): string[];
  /** What a page says before its scripts have come, as HTML; empty where it says nothing. */
  words(entry: PageEntry, path: string, who: Who, locale: string): string;
  /** What stands beside the application until it is there, for whoever waits in vain, as HTML. */
  waiting(locale: string): string;
}

/** Whether somebody who opens a page is probably signed in. */
export type Who = 'signed-in' | 'signed-out';

/** As the build writes it. */
interface WrittenWords {
  readonly words: Readonly<Record<string, readonly FirstWords[]>>;
  /** By language. */
  readonly waiting: Readonly<Record<string, string>>;
}

interface FirstWords {
  /** Of a regular expression for paths. */
  readonly pattern: string;
  readonly who: Who;
  /** By language. */
  readonly html: Readonly<Record<string, string>>;
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
  const written: WrittenWords = JSON.parse(readFileSync(FIRST_WORDS, 'utf8'));
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
    words(entry, path, who, locale) {
      const here = written.words[entry]?.find(
        (one) => one.who === who && new RegExp(one.pattern, 'i').test(path),
      );
      return here?.html[locale] ?? '';
    },
    waiting: (locale) => written.waiting[locale] ?? '',
  };
}
