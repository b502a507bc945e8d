import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import { makeDebianPackage } from '../deb/debian-package.ts';
import { makeRoot } from '../make-root.ts';
import type { Platform } from '../npm/platform.ts';
import { PARTS } from '../parts.ts';

/** Largest size of a package, in bytes: what a slow connection of a home loads in minutes. */
const MAX_PACKAGE_BYTES = 60e6;

/** A later version than the present one. */
const NEXT_VERSION = '99.0.0';

export interface Releases {
  /** A folder with `present` and `next`. */
  readonly packages: string;
  /** A folder with the device as it is installed, and Node for the platform. */
  readonly device: string;
}

/** Makes the packages in the version of the checkout and in a later one, which differ in nothing else. */
export async function makeReleases(platform: Platform, folder: string): Promise<Releases> {
  const packages = join(folder, 'packages');
  const present = join(packages, 'present');
  const next = join(packages, 'next');
  for (const out of [present, next]) await mkdir(out, { recursive: true });
  await ensurePagesAreBuilt('smallest');
  for (const part of Object.values(PARTS)) {
    const root = join(folder, part.name);
    await makeRoot(part, platform, root);
    const made = await makeDebianPackage({ part, platform, root, out: present });
    const { size } = await stat(made);
    console.log(`${basename(made)}: ${(size / 1e6).toFixed(1)} MB`);
    if (size > MAX_PACKAGE_BYTES) throw new Error(`${made} is larger than ${MAX_PACKAGE_BYTES / 1e6} MB`);
    const manifest = join(root, 'package.json');
    const content = JSON.parse(await readFile(manifest, 'utf8'));
    await writeFile(manifest, JSON.stringify({ ...content, version: NEXT_VERSION }));
    await makeDebianPackage({ part, platform, root, out: next, compressionLevel: 1 });
  }
  return { packages, device: join(folder, 'device') };
}
