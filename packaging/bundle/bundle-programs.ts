import { rolldown } from 'rolldown';
import { CHECKOUT } from '../checkout.ts';
import type { Part } from '../parts.ts';
import { packageRoot, ROOT_PROGRAM } from './package-root.ts';

/** The folder of the innermost package that a module is in. */
const NPM_PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Bundles a part's programs with the libraries that they use: a device then loads about fifty files in place of 1,700.
 * Programs keep their paths, with the ending `.js`; the code that they share is in `chunks`.
 *
 * @param folder the package's root, which exists
 * @returns the folders of the npm packages whose code is in the bundle
 */
export async function bundlePrograms(
  { programs, besides }: Pick<Part, 'programs' | 'besides'>,
  folder: string,
): Promise<readonly string[]> {
  const bundle = await rolldown({
    cwd: CHECKOUT,
    input: { ...ROOT_PROGRAM, ...Object.fromEntries(programs.map((path) => [path, `${path}.ts`])) },
    platform: 'node',
    external: [...besides.map((name) => new RegExp(`^${name}(/|$)`)), /\.node$/],
    plugins: [packageRoot()],
    onLog(level, log, handle) {
      // Libraries that were compiled for older systems evaluate code; nothing here depends on its scope.
      if (level === 'warn' && log.code === 'EVAL') return;
      if (level === 'warn') throw new Error(log.message);
      handle(level, log);
    },
  });
  try {
    const { output } = await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    });
    const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    return [...new Set(modules.flatMap((id) => NPM_PACKAGE.exec(id)?.[0] ?? []))].toSorted();
  } finally {
    await bundle.close();
  }
}
