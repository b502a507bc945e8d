import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT } from '../checkout.ts';
import { packageRoot } from './package-root.ts';

const transform = packageRoot().transform as (code: string, id: string) => { readonly code: string } | null;
const MODULE = join(CHECKOUT, 'packages/kit/src/passwords/is-guessable.ts');

it('a module of the project finds its files below the root of the package', () => {
  expect(transform('read(import.meta.dirname)', MODULE)?.code).toMatch(
    /read\(joinPath\(PACKAGE_ROOT, "packages\/kit\/src\/passwords"\)\)$/,
  );
});

it('a module of the project that reads import.meta.url is refused with its path', () => {
  expect(() => transform('read(import.meta.url)', MODULE)).toThrow(
    /^packages\/kit\/src\/passwords\/is-guessable\.ts reads import\.meta\.url/,
  );
});

it('a library may read import.meta.url', () => {
  expect(transform('read(import.meta.url)', join(CHECKOUT, 'node_modules/library/index.js'))).toBeNull();
});
