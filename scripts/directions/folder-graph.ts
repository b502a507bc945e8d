import { posix } from 'node:path';

/** Folders of a workspace's `src` and, of each, the folders that its files may import. `a/*` stands for all folders in a. */
export type FolderTable = Readonly<Record<string, readonly string[]>>;

/** Folders whose folders are looked at one by one. */
const PARENTS: readonly string[] = [
  'apps/cloud/src/features',
  'apps/device/src/drivers',
  'apps/web/src/device',
  'apps/web/src/portal',
  'apps/web/src/shared',
];

/** The files of a workspace that stand above its folders: they wire them, and no folder imports them. */
export const TOP = '';

/**
 * The folder of a file: the first folder below `src`, or the second where the first holds folders itself. Files of a
 * folder that holds folders are above those.
 *
 * @returns undefined for a file outside a workspace's `src`
 */
export function folderOf(file: string): { readonly src: string; readonly folder: string } | undefined {
  const [, src = '', rest = ''] = /^((?:apps|packages)\/[^/]+\/src)\/(.+)$/.exec(file) ?? [];
  if (src === '') return undefined;
  const path = posix
    .dirname(rest)
    .split('/')
    .filter((name) => name !== '.');
  const depth = PARENTS.includes(`${src}/${path[0]}`) ? 2 : 1;
  return { src, folder: path.slice(0, depth).join('/') };
}

/** The folders that a folder may import, patterns resolved. */
export function allowedFolders(table: FolderTable, folder: string): readonly string[] {
  return (table[folder] ?? []).flatMap((entry) =>
    entry.endsWith('/*')
      ? Object.keys(table).filter((other) => other !== folder && other.startsWith(entry.slice(0, -1)))
      : [entry],
  );
}

/** A circle of folders that may import each other, as its folders in order; undefined where there is none. */
export function circleIn(table: FolderTable): readonly string[] | undefined {
  const finished = new Set<string>();
  const visit = (folder: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder];
    if (finished.has(folder)) return undefined;
    for (const next of allowedFolders(table, folder)) {
      const circle = visit(next, [...way, folder]);
      if (circle !== undefined) return circle;
    }
    finished.add(folder);
    return undefined;
  };
  for (const folder of Object.keys(table)) {
    const circle = visit(folder, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
