import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { NAMESPACES } from './locale-files.ts';

const SOURCE = join(import.meta.dirname, '../../src');

/** A page as its table has it. */
interface Page {
  readonly path: string;
  readonly texts: readonly string[];
  readonly load: () => Promise<unknown>;
}

/** Each program loads these before its first page. */
const OF_PROGRAMS = ['shared', 'portal', 'device'];

const IMPORT = /import\('([^']+)'\)/;

/** Types are not loaded. */
const IMPORTS = /^(?:import|export) (?!type\b)[^;]*? from '(\.[^']+\.tsx?)'/gm;

const tables = [...globSync('portal/**/pages.ts', { cwd: SOURCE }), 'device/page-table.ts'];
const pages = (
  await Promise.all(
    tables.map(async (table) => {
      const exported = Object.values<unknown>(await import(join(SOURCE, table)));
      const sources = exported.filter((one): one is readonly Page[] => Array.isArray(one)).flat();
      return sources.map(({ path, texts, load }) => ({
        table,
        path,
        texts,
        module: moduleOf(join(SOURCE, table), `${load}`),
      }));
    }),
  )
).flat();

it('every page is in a table that names its module', () => {
  expect(pages.length).toBeGreaterThan(60);
  expect(pages.filter(({ module }) => !/\.tsx?$/.test(module))).toEqual([]);
});

// A component that waits for texts later hides the page that is shown already, with its heading.
it.each(pages)(
  'the page $path of $table is loaded with the texts of all its components',
  ({ path, texts, module }) => {
    // The pages of staff are framed for operators or for an organization.
    const isOperators = path.startsWith('/operator');
    const missing = [...textsUsedBy(module)].filter(
      ([namespace]) => ![...OF_PROGRAMS, ...texts, ...(isOperators ? [] : ['operator'])].includes(namespace),
    );
    expect(missing).toEqual([]);
  },
);

/** The module of a page's component: a loader names it, or the component among those of one chunk. */
function moduleOf(table: string, loader: string): string {
  const [, own] = IMPORT.exec(loader) ?? [];
  if (own !== undefined) return resolve(dirname(table), own);
  const [, shared = ''] = IMPORT.exec(readFileSync(table, 'utf8')) ?? [];
  const [, name = ''] = /\)\.(\w+)/.exec(loader) ?? [];
  const chunk = resolve(dirname(table), shared);
  const [, module = ''] = new RegExp(`as ${name} } from '([^']+)'`).exec(readFileSync(chunk, 'utf8')) ?? [];
  return resolve(dirname(chunk), module);
}

/** Namespaces that a module and what it imports at once use, each with a file that does. */
function textsUsedBy(entry: string): Map<string, string> {
  const used = new Map<string, string>();
  const modules = new Set([entry]);
  for (const module of modules) {
    const code = readFileSync(module, 'utf8');
    const names = [...code.matchAll(/useTranslation\(([^)]*)\)|\bns: ('\w+')/g)].flat();
    for (const name of names.flatMap((part) => [...`${part}`.matchAll(/'(\w+)/g)])) {
      if (NAMESPACES.includes(name[1] ?? '')) used.set(name[1] ?? '', relative(SOURCE, module));
    }
    for (const [, imported = ''] of code.matchAll(IMPORTS)) modules.add(resolve(dirname(module), imported));
  }
  return used;
}
