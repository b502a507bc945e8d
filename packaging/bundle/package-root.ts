import { dirname, isAbsolute, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { CHECKOUT } from '../checkout.ts';

const ROOT_MODULE = 'heliograph:package-root';

/** A program of its own, so that its depth is known wherever it is imported. */
export const ROOT_PROGRAM = { 'chunks/package-root': ROOT_MODULE };

const ROOT_CODE = `import { resolve } from 'node:path';
export const PACKAGE_ROOT = resolve(import.meta.dirname, '..');
`;

/**
 * Lets bundled modules find their files: `import.meta.dirname` and `import.meta.filename` are the paths that a module has
 * in the checkout, below the package's root, where the files beside it are copied to.
 */
export function packageRoot(): Plugin {
  return {
    name: 'package-root',
    resolveId: (source) => (source === ROOT_MODULE ? source : null),
    load: (id) => (id === ROOT_MODULE ? { code: ROOT_CODE, moduleSideEffects: false } : null),
    transform(code, id) {
      const path = relative(CHECKOUT, id);
      const isOwn = isAbsolute(id) && !path.startsWith('..') && !path.includes('node_modules');
      if (isOwn && code.includes('import.meta.url')) {
        throw new Error(
          `${path} reads import.meta.url, which is another one in a bundle: use import.meta.dirname`,
        );
      }
      if (!isOwn || !/import\.meta\.(?:dirname|filename)/.test(code)) return null;
      const within = (target: string): string => `joinPath(PACKAGE_ROOT, ${JSON.stringify(target)})`;
      const imports = `import { join as joinPath } from 'node:path';\nimport { PACKAGE_ROOT } from '${ROOT_MODULE}';\n`;
      const replaced = code
        .replaceAll('import.meta.dirname', within(dirname(path)))
        .replaceAll('import.meta.filename', within(path.replace(/\.ts$/, '.js')));
      return { code: imports + replaced };
    },
  };
}
