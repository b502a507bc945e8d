import { writeFile } from 'node:fs/promises';
import { LOCALES, type Locale } from '@heliograph/contracts';
import { readTexts } from '@heliograph/locales/read';
import { parse } from 'regexparam';
import { createServer } from 'vite';
import type { PrerenderedShell, RenderShell, Shell, Texts } from '../src/shared/shell/prerendered-shell.ts';

const SHELL = '/src/shared/shell';

/** HTML by language. */
type Html = Readonly<Record<string, string>>;

/** The file that `packages/pages` reads. */
interface WrittenShells {
  /** By application. */
  readonly shells: Record<
    string,
    { readonly pattern: string; readonly sessionHint: string; readonly html: Html }[]
  >;
  /** Stands beside the application's root on every page. */
  readonly slowLoadNotice: Html;
}

/**
 * Prerenders the shells that pages show before their scripts have loaded, from the components and texts of the pages.
 *
 * @param configFile of the build, so that classes have the same names
 */
export async function writeShells(configFile: string, file: string): Promise<void> {
  const languages: Languages = new Map(LOCALES.map((locale) => [locale, readTexts(locale)]));
  const vite = await createServer({
    configFile,
    mode: 'production',
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const load = async <Module>(path: string): Promise<Module> => (await vite.ssrLoadModule(path)) as Module;
  try {
    const { renderShell }: { renderShell: RenderShell } = await load(`${SHELL}/render-shell.tsx`);
    const { SlowLoadNotice }: { SlowLoadNotice: Shell } = await load(`${SHELL}/slow-load-notice.tsx`);
    const slowLoadNotice = await renderInAll(languages, renderShell, SlowLoadNotice);
    const written: WrittenShells = { shells: {}, slowLoadNotice };
    for (const application of ['portal', 'device', 'offline']) {
      const { shells }: { shells: readonly PrerenderedShell[] } = await load(
        `/src/${application}/shells.tsx`,
      );
      written.shells[application] = await Promise.all(
        shells.map(async ({ path, sessionHint, Shell }) => ({
          pattern: parse(path).pattern.source,
          sessionHint,
          html: await renderInAll(languages, renderShell, Shell),
        })),
      );
    }
    await writeFile(file, JSON.stringify(written));
  } finally {
    await vite.close();
  }
}

type Languages = ReadonlyMap<Locale, Texts>;

async function renderInAll(languages: Languages, renderShell: RenderShell, Shell: Shell): Promise<Html> {
  const html = await Promise.all(
    [...languages].map(async ([locale, texts]) => [locale, await renderShell(locale, texts, Shell)] as const),
  );
  return Object.fromEntries(html);
}
