import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import type { Platform } from './platform.ts';

/** A package as `package-lock.json` pins it. */
export interface LockedPackage {
  /** Path of its folder, such as `node_modules/debug`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of its archive. */
  readonly integrity: string;
}

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Headers for building native code, which is never built here. */
const BUILD_ONLY: ReadonlySet<string> = new Set(['node-addon-api']);

/** @returns the packages of these names with everything that they need on a platform */
export function lockedPackages(names: readonly string[], platform: Platform): readonly LockedPackage[] {
  const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
    readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'),
  );
  const found = new Map<string, LockedPackage>();
  const add = (name: string, dependent: string): void => {
    const path = resolvedPath(lock.packages, name, dependent);
    const entry = path === undefined ? undefined : lock.packages[path];
    if (path === undefined || entry === undefined || found.has(path) || BUILD_ONLY.has(name)) return;
    if (!runsOn(entry, platform)) return;
    const { version = '', integrity = '' } = entry;
    found.set(path, { path, name: entry.name ?? name, version, integrity });
    const needed = { ...entry.dependencies, ...entry.optionalDependencies };
    for (const dependency of Object.keys(needed)) add(dependency, path);
  };
  for (const name of names) add(name, '');
  return [...found.values()];
}

/** The path at which Node finds a package that another one requires. */
function resolvedPath(
  packages: Readonly<Record<string, LockEntry>>,
  name: string,
  dependent: string,
): string | undefined {
  for (let folder = dependent; ; ) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0));
  }
}

function runsOn({ os, cpu, libc }: LockEntry, platform: Platform): boolean {
  const has = (allowed: readonly string[] | undefined, value: string): boolean =>
    allowed === undefined || allowed.includes(value);
  return has(os, 'linux') && has(cpu, platform.cpu) && has(libc, 'glibc');
}
