import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LOCALES } from '@heliograph/contracts';
import { readTexts } from '@heliograph/locales/read';
import { normalizePath, type Plugin } from 'vite';

/** Namespaces that no page loads: the cloud writes mails, and the others are prerendered. */
const NOT_LOADED: ReadonlySet<string> = new Set(['mail', 'offline', 'waiting']);

const LOADER = 'virtual:texts';

/**
 * Makes a module of each namespace of each language, cut from the language's file in `packages/locales`, so that a page
 * loads no others. `virtual:texts` loads them. One hash of all texts is in their names: a hash for each would make a
 * table of hundreds, which every first view had to load. The manifest names such a module `texts/de/shared.json`; there
 * is no file of that name.
 */
export function textModules(): Plugin {
  const texts = new Map<string, string>();
  for (const locale of LOCALES) {
    for (const [namespace, tree] of Object.entries(readTexts(locale)))
      if (!NOT_LOADED.has(namespace)) texts.set(`${locale}/${namespace}`, JSON.stringify(tree));
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([...texts]))
    .digest('base64url')
    .slice(0, 7);
  let folder = '';
  return {
    name: 'heliograph:text-modules',
    enforce: 'pre',
    configResolved({ root }) {
      folder = normalizePath(join(root, 'texts/'));
    },
    buildStart() {
      for (const path of texts.keys())
        this.emitFile({
          type: 'chunk',
          id: `${folder}${path}.json`,
          fileName: `assets/texts-${hash}/${path}.js`,
          preserveSignature: 'strict',
        });
    },
    resolveId(id) {
      if (id === LOADER) return `\0${LOADER}`;
      return id.startsWith(folder) ? id : undefined;
    },
    load(id) {
      if (id === `\0${LOADER}`)
        return `export const loadTexts = (locale, namespace) =>
          import(/* @vite-ignore */ \`/assets/texts-${hash}/\${locale}/\${namespace}.js\`);`;
      return id.startsWith(folder) ? texts.get(id.slice(folder.length).replace('.json', '')) : undefined;
    },
  };
}
