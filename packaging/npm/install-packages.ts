import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT } from '../checkout.ts';
import { extractArchive } from './extract-archive.ts';
import { type LockedPackage, lockedPackages } from './locked-packages.ts';
import type { Platform } from './platform.ts';

const run = promisify(execFile);

/** Sources of native code, of which nothing is built, and what only people and compilers read. */
const LEFT_OUT =
  /^(?:docs?|tests?|README.*|CHANGELOG.*|.*\.(?:md|map|d\.[cm]?ts|[ch]|cc|cpp|hpp|mm|gypi?))$/i;

/**
 * Installs packages of npm with all that they need, for a platform that may be another one than this.
 *
 * @returns the folders that they were copied from
 */
export async function installPackages(
  names: readonly string[],
  platform: Platform,
  folder: string,
): Promise<readonly string[]> {
  const sources: string[] = [];
  for (const locked of lockedPackages(names, platform)) {
    const source = await unpacked(locked);
    sources.push(source);
    await cp(source, join(folder, locked.path), {
      recursive: true,
      filter: (path) => {
        const within = path.slice(source.length + 1);
        const prebuilt = /^prebuilds\/([^/]+)/.exec(within)?.[1];
        if (prebuilt !== undefined && prebuilt !== `linux-${platform.cpu}`) return false;
        if (within.endsWith('.musl.node')) return false;
        return !within.split('/').some((part) => LEFT_OUT.test(part)) && !within.startsWith('node_modules');
      },
    });
  }
  return sources;
}

/** Copies Node for a platform. @param file where it goes @returns the folder that it was copied from */
export async function installNode({ cpu, ...platform }: Platform, file: string): Promise<string> {
  const [node] = lockedPackages([`node-linux-${cpu}`], { cpu, ...platform });
  if (node === undefined) throw new Error(`package-lock.json has no Node for ${platform.architecture}`);
  const source = await unpacked(node);
  await cp(join(source, 'bin/node'), file);
  return source;
}

/** @returns the folder with a package's files: the installed one, or the archive's */
async function unpacked({ path, name, version, integrity }: LockedPackage): Promise<string> {
  const installed = join(CHECKOUT, path);
  if (existsSync(installed)) return installed;
  const kept = join(CHECKOUT, 'node_modules/.cache/packaging', `${name}@${version}`);
  if (existsSync(kept)) return kept;
  const download = await mkdtemp(join(tmpdir(), 'heliograph-packaging-'));
  try {
    await run('npm', ['pack', `${name}@${version}`, '--pack-destination', download], { cwd: download });
    const [archive = ''] = await readdir(download);
    const content = await readFile(join(download, archive));
    requireIntegrity(content, integrity, name);
    const unfinished = `${kept}.${process.pid}`;
    await extractArchive(content, unfinished);
    await rename(unfinished, kept);
    return kept;
  } finally {
    await rm(download, { recursive: true });
  }
}

/** @throws Error unless the archive is the one that the lock file pins */
function requireIntegrity(content: Buffer, integrity: string, name: string): void {
  const [algorithm = '', expected = ''] = integrity.split('-', 2);
  const found = createHash(algorithm).update(content).digest('base64');
  if (found !== expected) throw new Error(`the archive of ${name} is not the one of package-lock.json`);
}
