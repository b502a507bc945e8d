import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import vm from 'node:vm';
import { LOCALES } from '@heliograph/contracts';
import { ensurePagesAreBuilt } from '@heliograph/dev/testing';
import { readTexts } from '@heliograph/locales/read';
import { beforeAll, describe, expect, it } from 'vitest';
import { OLDEST_BROWSERS } from '../../build/oldest-browsers.ts';
import { versionsWith } from './compat-data.ts';
import { newerFunctions } from './newer-functions.ts';
import { newerStyles } from './newer-styles.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const BUILT = join(ROOT, 'apps/web/dist');

/** Functions that no supported browser needs, by path in MDN's data, with the reason. */
const UNNEEDED: Readonly<Record<string, string>> = {
  'api.Document.startViewTransition': 'React calls it for a component that these pages do not have',
  'api.ViewTransition.skipTransition': 'React calls it for a component that these pages do not have',
  'api.BarcodeDetector.detect': 'it is the language detector of i18next, which these pages do not have',
  'api.Credential.isConditionalMediationAvailable_static': 'the library of passkeys tests for it',
  'api.TouchEvent': 'Leaflet tests for it',
  'api.Navigator.clearAppBadge': 'the pages test for setAppBadge, which came with it',
};

/** Styles without which a page is plainer and can be used. */
const PLAINER: readonly string[] = [
  // The layout of some rows; choices and the navigation have other selectors beside it.
  ':has',
  'contain-intrinsic-size',
  'content-visibility',
  'scrollbar-width',
  'text-box-edge',
  'text-box-trim',
  'text-wrap',
  // Of the reader of the API alone.
  'forced-color-adjust',
  'zoom',
];

beforeAll(() => ensurePagesAreBuilt());

describe('the oldest supported browsers have', () => {
  it('every function that the built scripts use', async () => {
    const scripts = await read(`${BUILT}/{assets/*,service-worker}.js`);
    expect(scripts.size).toBeGreaterThan(100);
    // The reader of the API is large and by others: its names are its own.
    const newer = newerFunctions(scripts, (name) => !name.startsWith('docs-'));
    expect(newer.filter(({ path }) => UNNEEDED[path] === undefined)).toEqual([]);
    expect(Object.keys(UNNEEDED).filter((path) => newer.every((use) => use.path !== path))).toEqual([]);
  });

  it('every function of styles that the built scripts write', async () => {
    const scripts = await read(`${BUILT}/assets/*.js`);
    // No call of a script has a hyphen in its name.
    const written = [...scripts].flatMap(([name, code]) =>
      name.startsWith('docs-') ? [] : [...code.matchAll(/\b[a-z]+(?:-[a-z]+)+\(/g)].map(([found]) => found),
    );
    expect(written).not.toEqual([]);
    expect(newerStyles(written.map((found) => `.a{color:${found})}`).join(''))).toEqual([]);
  });

  it('every style that the built pages need', async () => {
    const styles = [...(await read(`${BUILT}/assets/*.css`)).values()].join('');
    const newer = newerStyles(styles);
    expect(newer.filter(({ use }) => !PLAINER.includes(use))).toEqual([]);
    expect(PLAINER.filter((style) => newer.every(({ use }) => use !== style))).toEqual([]);
  });

  it('every function that the page of the bot check uses', async () => {
    const page = 'apps/cloud/src/identity/bot-check/page/*.js';
    const altcha = 'node_modules/altcha/dist/{external/altcha.min,workers/pbkdf2}.js';
    const scripts = await read(`${ROOT}/{${page},${altcha}}`);
    expect([...scripts.keys()]).toEqual(['verify.js', 'altcha.min.js', 'pbkdf2.js']);
    const newer = newerFunctions(scripts).map(({ path }) => path);
    // Svelte calls the first of its own, and the second behind a test for trusted types.
    expect(newer).toEqual(['api.CSS.in_static', 'api.TrustedTypePolicyFactory.createPolicy']);
  });
});

describe('the check', () => {
  it.each([
    ['Map.groupBy(list, byKey)', ['.groupBy()', 'Map.groupBy']],
    ['const all = AbortSignal.any([one, other])', ['AbortSignal.any']],
    ['one.union(other)', ['.union()']],
    ['globalThis.CompressionStream && new CompressionStream("gzip")', []],
    ['new Intl.DurationFormat("de")', ['Intl.DurationFormat']],
    ['new CloseWatcher()', ['CloseWatcher']],
    ['if (typeof URL.parse === "function") URL.parse(text)', []],
    ['"requestIdleCallback" in globalThis && requestIdleCallback(run)', []],
    ['const sets = { union: (other) => other }; sets.union(one)', []],
    ['const Iterator = 1; use(Iterator)', []],
    ['list.toSorted().at(-1)', []],
  ])('finds in `%s` %j', (code, uses) => {
    expect(
      newerFunctions(new Map([['script.js', code]]))
        .map(({ use }) => use)
        .toSorted(),
    ).toEqual(uses);
  });

  it.each([
    ['.a:has(.b){color:red}', [':has']],
    ['.a{color:light-dark(red,blue)}', ['light-dark()']],
    ['@starting-style{.a{opacity:0}}', ['@starting-style']],
    ['.a{field-sizing:content}', ['field-sizing']],
    ['.a{color:color-mix(in srgb, red, blue)}@container (width>1px){.a:is(.b){gap:1px}}', []],
  ])('finds in `%s` %j', (css, uses) => {
    expect(newerStyles(css).map(({ use }) => use)).toEqual(uses);
  });
});

describe('the script for older browsers', () => {
  const script = readFileSync(join(ROOT, 'apps/web/src/shared/shell/old-browser.js'), 'utf8');

  it('probes for features that came with the oldest supported versions', () => {
    const probes = [
      'javascript.builtins.Array.toSorted',
      'javascript.regular_expressions.lookbehind_assertion',
      'css.types.color.color-mix',
    ].map(versionsWith);
    for (const [browser, oldest] of Object.entries(OLDEST_BROWSERS))
      expect(Math.max(...probes.map((versions) => versions[browser] ?? 0)), browser).toBe(Number(oldest));
  });

  it.each([
    ['a supported browser', '', false],
    ['a browser without toSorted()', 'delete Array.prototype.toSorted', true],
    ['a browser without color-mix()', 'CSS.supports = () => false', true],
    ['a browser without CSS.supports()', 'CSS = undefined', true],
    ['a browser without lookbehind assertions', 'RegExp = function () { throw new SyntaxError() }', true],
  ])('%s shows the sentence, or not', (_browser, change, isShown) => {
    const shown: string[] = [];
    const root = { parentNode: { insertBefore: () => shown.push('above the page') } };
    const notice = { removeAttribute: (name: string) => shown.push(name) };
    const elements: Readonly<Record<string, unknown>> = { root, 'old-browser': notice };
    const context = vm.createContext({
      CSS: { supports: () => true },
      document: { getElementById: (id: string) => elements[id] ?? null },
    });
    vm.runInContext(change, context);
    vm.runInContext(script, context);
    expect(shown).toEqual(isShown ? ['above the page', 'hidden'] : []);
  });

  it.each([
    ['docs/install.md', readFileSync(join(ROOT, 'docs/install.md'), 'utf8')],
    ['README.md', readFileSync(join(ROOT, 'README.md'), 'utf8')],
    ...LOCALES.map((locale): [string, string] => [locale, String(readTexts(locale)['waiting']?.['tooOld'])]),
  ])('%s names the oldest versions', (_where, text) => {
    for (const [browser, version] of Object.entries(OLDEST_BROWSERS)) {
      expect(text.toLowerCase()).toContain(browser);
      expect(text).toContain(version);
    }
  });
});

/** @returns contents by file name */
async function read(pattern: string): Promise<Map<string, string>> {
  const files: string[] = [];
  for await (const file of glob(pattern)) files.push(file);
  return new Map(files.toSorted().map((file) => [basename(file), readFileSync(file, 'utf8')]));
}
