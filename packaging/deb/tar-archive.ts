import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** An entry of an archive; everything belongs to root. */
export type ArchiveEntry =
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'link'; readonly path: string; readonly target: string }
  | { readonly type: 'file'; readonly path: string; readonly content: Uint8Array; readonly mode: number };

/**
 * An archive whose bytes depend on the entries alone.
 *
 * @param modifiedS in seconds since 1970
 */
export async function tarArchive(entries: readonly ArchiveEntry[], modifiedS: number): Promise<Buffer> {
  const archive = pack();
  const owned = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime: new Date(modifiedS * 1000) };
  for (const entry of entries) {
    const name = `./${entry.path}`;
    switch (entry.type) {
      case 'folder':
        archive.entry({ ...owned, name: `${name}/`, type: 'directory', mode: 0o755 });
        break;
      case 'link':
        archive.entry({ ...owned, name, type: 'symlink', linkname: entry.target, mode: 0o777 });
        break;
      case 'file':
        archive.entry({ ...owned, name, mode: entry.mode }, Buffer.from(entry.content));
        break;
    }
  }
  archive.finalize();
  return buffer(archive);
}
