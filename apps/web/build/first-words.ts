import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locale } from '@heliograph/contracts';
import { parse } from 'regexparam';
import { createServer } from 'vite';
import type { FirstWords, Texts, WordsIn } from '../src/shared/first-words/first-words.ts';

const LOCALES = join(import.meta.dirname, '../src/locales');
const WAITING = '/src/shared/first-words/waiting.tsx';

/** What the module of an application's first words exports. */
interface WordsModule {
  readonly firstWords: readonly FirstWords[];
  readonly wordsIn: WordsIn;
}

/** The module of what stands beside them. */
interface WaitingModule {
  readonly Waiting: FirstWords['Words'];
  readonly wordsIn: WordsIn;
}

/** HTML by language. */
type Html = Readonly<Record<string, string>>;

/** What a server reads. */
interface WrittenWords {
  /** For each application, where which words stand. */
  readonly shells: Record<
    string,
    { readonly pattern: string; readonly sessionHint: string; readonly html: Html }[]
  >;
  /** What stands beside them, on every page. */
  readonly slowLoadNotice: Html;
}

/**
 * Writes down what pages say before their scripts have come, rendered from the very components and texts of the pages.
 *
 * @param configFile of the build, so that classes have the same names
 */
export async function writeFirstWords(configFile: string, file: string): Promise<void> {
  const languages = readTexts();
  const vite = await createServer({
    configFile,
    mode: 'production',
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { Waiting, wordsIn } = (await vite.ssrLoadModule(WAITING)) as WaitingModule;
    const waiting = await inAll(languages, wordsIn, { Words: Waiting });
    const written: WrittenWords = { shells: {}, slowLoadNotice: waiting };
    for (const application of ['portal', 'device']) {
      const module = (await vite.ssrLoadModule(`/src/${application}/first-words.tsx`)) as WordsModule;
      written.shells[application] = await Promise.all(
        module.firstWords.map(async (words) => ({
          pattern: parse(words.path).pattern.source,
          sessionHint: words.who,
          html: await inAll(languages, module.wordsIn, words),
        })),
      );
    }
    await writeFile(file, JSON.stringify(written));
  } finally {
    await vite.close();
  }
}

type Languages = ReadonlyMap<Locale, Texts>;

async function inAll(
  languages: Languages,
  wordsIn: WordsIn,
  words: Pick<FirstWords, 'Words'>,
): Promise<Html> {
  const html = await Promise.all(
    [...languages].map(async ([locale, texts]) => [locale, await wordsIn(locale, texts, words)] as const),
  );
  return Object.fromEntries(html);
}

function readTexts(): Languages {
  return new Map(
    readdirSync(LOCALES).map((locale) => {
      const files = readdirSync(join(LOCALES, locale));
      const resources = files.map((file) => [
        file.replace('.json', ''),
        JSON.parse(readFileSync(join(LOCALES, locale, file), 'utf8')),
      ]);
      return [locale as Locale, Object.fromEntries(resources)];
    }),
  );
}
