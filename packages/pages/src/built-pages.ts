import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Which application a page runs. */
export type PageEntry = 'portal' | 'device' | 'catalogue' | 'docs' | 'offline';

/** Output of `npm run build`. */
export const BUILT_PAGES = join(import.meta.dirname, '../../../apps/web/dist');

const MANIFEST = join(BUILT_PAGES, 'manifest.json');
const PRERENDERED = join(BUILT_PAGES, 'prerendered.json');

/** Hashed files. */
export const ASSETS = join(BUILT_PAGES, 'assets');

/** The parts of the build that a server reads. */
export interface BuiltPages {
  /** The HTML of an application, with placeholders. */
  html(entry: PageEntry): string;
  /** Paths of the chunks that hold an application's texts in a language. */
  localeChunks(locale: string, namespaces: readonly string[]): string[];
  /** HTML of a page's first view, shown until its scripts run; empty for a page that has none. */
  prerendered(entry: PageEntry, path: string, sessionHint: SessionHint, locale: string): string;
  /** HTML of the notice beside an application that is slow to load. */
  slowLoadNotice(locale: string): string;
}

/** Whether the browser that opens a page probably has a session. */
export type SessionHint = 'signed-in' | 'signed-out';

/** The file that `apps/web/build` writes. */
interface PrerenderedFile {
  readonly shells: Readonly<Record<string, readonly PrerenderedShell[]>>;
  /** By language. */
  readonly slowLoadNotice: Readonly<Record<string, string>>;
}

interface PrerenderedShell {
  /** Source of a regular expression for paths. */
  readonly pattern: string;
  readonly sessionHint: SessionHint;
  /** By language. */
  readonly html: Readonly<Record<string, string>>;
}

/** The pages are not built. A server without pages still serves its API. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt';
}

let read: { readonly builtAtMs: number; readonly pages: BuiltPages } | undefined;

/** The newest build: one made while a server runs is served from the next page on. @throws NotBuilt */
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
  const file: PrerenderedFile = JSON.parse(readFileSync(PRERENDERED, 'utf8'));
  const html = new Map<PageEntry, string>();
  return {
    html(entry) {
      const text = html.get(entry) ?? readFileSync(join(BUILT_PAGES, `${entry}.html`), 'utf8');
      html.set(entry, text);
      return text;
    },
    localeChunks: (locale, namespaces) =>
      namespaces.flatMap((namespace) => {
        const chunk = manifest[`texts/${locale}/${namespace}.json`];
        return chunk === undefined ? [] : [`/${chunk.file}`];
      }),
    prerendered(entry, path, sessionHint, locale) {
      const shell = file.shells[entry]?.find(
        (candidate) => candidate.sessionHint === sessionHint && new RegExp(candidate.pattern, 'i').test(path),
      );
      return shell?.html[locale] ?? '';
    },
    slowLoadNotice: (locale) => file.slowLoadNotice[locale] ?? '',
  };
}
