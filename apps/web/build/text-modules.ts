import { join } from 'node:path';
import { LOCALES, type Locale } from '@heliograph/contracts';
import { readTexts, type Texts } from '@heliograph/locales/read';
import { normalizePath, type Plugin } from 'vite';
import { textPath } from '../src/shared/i18n/text-files.ts';

/** The namespaces that each application loads; `waiting` is only prerendered, and `mail` is the cloud's. */
const NAMESPACES: Readonly<Record<string, readonly string[]>> = {
  portal: [
    'account',
    'consent',
    'entry',
    'operator',
    'organization',
    'portal',
    'security',
    'settings',
    'shared',
    'site',
    'sites',
    'leaving',
    'orders',
    'shop',
    'staff',
    'tickets',
    'recovery',
  ],
  device: ['configuration', 'device', 'settings', 'shared', 'site'],
  catalogue: ['shared', 'site'],
};

const PREFIX = 'virtual:texts/';

/**
 * `virtual:texts/portal` exports what loads the texts of the portal: a module for each namespace of each language, cut
 * from the language's file in `packages/locales`, so that a page loads no others. The manifest names such a module
 * `texts/de/shared.json`; there is no file of that name.
 */
export function textModules(): Plugin {
  const texts = new Map<string, Texts>(LOCALES.map((locale) => [locale, readTexts(locale)]));
  let folder = '';
  return {
    name: 'heliograph:text-modules',
    enforce: 'pre',
    configResolved({ root }) {
      folder = normalizePath(join(root, 'texts/'));
    },
    resolveId(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      return id.endsWith('.json') ? `${folder}${id.slice(PREFIX.length)}` : `\0${id}`;
    },
    load(id) {
      if (id.startsWith(`\0${PREFIX}`)) return loadersOf(NAMESPACES[id.slice(PREFIX.length + 1)] ?? []);
      if (!id.startsWith(folder)) return undefined;
      const [locale = '', namespace = ''] = id.slice(folder.length).replace('.json', '').split('/');
      return JSON.stringify(texts.get(locale)?.[namespace]);
    },
  };
}

function loadersOf(namespaces: readonly string[]): string {
  const loader = (locale: Locale, namespace: string): string => {
    const path = textPath(locale, namespace);
    return `'${path}': () => import('${PREFIX}${path}.json')`;
  };
  const loaders = LOCALES.flatMap((locale) => namespaces.map((namespace) => loader(locale, namespace)));
  return `export const texts = { ${loaders.join(', ')} };`;
}
