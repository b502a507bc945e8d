import { cp, readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import type { Part } from '../parts.ts';

/** Code is in the bundle, pages of documentation are read by people, recordings and their like are for tests. */
const NOT_READ_ENDINGS: ReadonlySet<string> = new Set(['.ts', '.tsx', '.md', '.map']);
const NOT_READ_FOLDERS: ReadonlySet<string> = new Set(['captures', 'testing', 'test']);

/** Copies the files that programs read, such as migrations and built pages, to their paths below the package's root. */
export async function copyResources({ resources }: Pick<Part, 'resources'>, folder: string): Promise<void> {
  for (const resource of resources) {
    const entries = await readdir(join(CHECKOUT, resource), { recursive: true, withFileTypes: true });
    for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
      const source = join(parentPath, name);
      const path = relative(CHECKOUT, source);
      const isRead =
        !NOT_READ_ENDINGS.has(extname(name)) && !path.split('/').some((part) => NOT_READ_FOLDERS.has(part));
      if (isRead) await cp(source, join(folder, path));
    }
  }
}
