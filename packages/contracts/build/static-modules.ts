import { pathToFileURL } from 'node:url';

/**
 * A plugin of Vite and Rolldown. Modules named `*.static.ts` are evaluated at build: browsers get their values, without the
 * code that computes them.
 */
export function staticModules() {
  return {
    name: 'heliograph:static-modules',
    enforce: 'pre' as const,
    async load(id: string): Promise<string | undefined> {
      if (!id.endsWith('.static.ts')) return undefined;
      const values = Object.entries(await import(pathToFileURL(id).href));
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
    },
  };
}
