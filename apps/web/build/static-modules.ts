import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** Modules named `*.static.ts` are evaluated at build: pages get their values, without the code that computes them. */
export function staticModules(): Plugin {
  return {
    name: 'heliograph:static-modules',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.static.ts')) return undefined;
      const values = Object.entries(await import(pathToFileURL(id).href));
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
    },
  };
}
