import { posix } from 'node:path';

/** Rooms of a workspace's `src` and, of each, the rooms that its files may import. `a/*` stands for all rooms in a. */
export type RoomTable = Readonly<Record<string, readonly string[]>>;

/** Folders whose own folders are rooms. */
const HOUSES: readonly string[] = [
  'apps/cloud/src/features',
  'apps/device/src/drivers',
  'apps/web/src/device',
  'apps/web/src/portal',
  'apps/web/src/shared',
];

/** The files of a workspace that stand above its rooms: they wire them, and no room imports them. */
export const ROOF = '';

/**
 * The room of a file: the first folder below `src`, or the second where the first holds rooms itself. Files of a
 * folder that holds rooms are above those.
 *
 * @returns undefined for a file outside a workspace's `src`
 */
export function roomOf(file: string): { readonly src: string; readonly room: string } | undefined {
  const [, src = '', rest = ''] = /^((?:apps|packages)\/[^/]+\/src)\/(.+)$/.exec(file) ?? [];
  if (src === '') return undefined;
  const folders = posix
    .dirname(rest)
    .split('/')
    .filter((folder) => folder !== '.');
  const depth = HOUSES.includes(`${src}/${folders[0]}`) ? 2 : 1;
  return { src, room: folders.slice(0, depth).join('/') };
}

/** The rooms that a room may import, patterns resolved. */
export function allowedRooms(table: RoomTable, room: string): readonly string[] {
  return (table[room] ?? []).flatMap((entry) =>
    entry.endsWith('/*')
      ? Object.keys(table).filter((other) => other !== room && other.startsWith(entry.slice(0, -1)))
      : [entry],
  );
}

/** A circle of rooms that may import each other, as its rooms in order; undefined where there is none. */
export function circleIn(table: RoomTable): readonly string[] | undefined {
  const finished = new Set<string>();
  const visit = (room: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room];
    if (finished.has(room)) return undefined;
    for (const next of allowedRooms(table, room)) {
      const circle = visit(next, [...way, room]);
      if (circle !== undefined) return circle;
    }
    finished.add(room);
    return undefined;
  };
  for (const room of Object.keys(table)) {
    const circle = visit(room, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
