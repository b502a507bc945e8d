import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectVersion } from '@heliograph/kit';
import { bundlePrograms } from './bundle/bundle-programs.ts';
import { copyResources } from './bundle/copy-resources.ts';
import { licences } from './bundle/licences.ts';
import { installNode, installPackages } from './npm/install-packages.ts';
import type { Platform } from './npm/platform.ts';
import type { Part } from './parts.ts';

/** Path of Node below the root of a package. */
export const NODE = 'bin/node';

/**
 * Makes the folder that holds all of a part: its programs, what they read, and Node. It runs from anywhere and needs
 * nothing but the C library.
 *
 * @param folder is replaced
 */
export async function makeRoot(part: Part, platform: Platform, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(join(folder, NODE)), { recursive: true });
  const bundled = await bundlePrograms(part, folder);
  await copyResources(part, folder);
  const installed = await installPackages(part.besides, platform, folder);
  const node = await installNode(platform, join(folder, NODE));
  await writeFile(join(folder, 'LICENSES.txt'), await licences([node, ...bundled, ...installed]));
  const manifest = {
    name: `heliograph-${part.name}`,
    version: projectVersion(),
    private: true,
    type: 'module',
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
