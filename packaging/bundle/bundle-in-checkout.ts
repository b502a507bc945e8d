import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import { PARTS, type PartName } from '../parts.ts';
import { bundlePrograms } from './bundle-programs.ts';
import { copyResources } from './copy-resources.ts';

/**
 * A part's programs as they are installed, for benchmarks: beside them are the packages of this checkout.
 *
 * @param folder an empty folder
 */
export async function bundleInCheckout(name: PartName, folder: string): Promise<void> {
  const part = PARTS[name];
  // Pages need not be built to measure what serves them.
  const resources = part.resources.filter((resource) => existsSync(join(CHECKOUT, resource)));
  await bundlePrograms(part, folder);
  await copyResources({ ...part, resources }, folder);
  await symlink(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: part.name, version: '0.0.0', type: 'module' }),
  );
}
