import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the whole project: the root's `package.json` in a checkout, the package's own where it is installed. */
export function projectVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
  );
  return manifest.version;
}
