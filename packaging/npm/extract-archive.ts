import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** npm packs everything below this folder. */
const TOP = 'package/';

/** Extracts the files of an archive that npm packed. */
export async function extractArchive(archive: Buffer, folder: string): Promise<void> {
  const entries = Readable.from([archive]).pipe(createGunzip()).pipe(extract());
  for await (const entry of entries) {
    const { name, type, mode } = entry.header;
    const path = normalize(name.startsWith(TOP) ? name.slice(TOP.length) : name);
    if (type !== 'file' || path.startsWith('..')) {
      entry.resume();
      continue;
    }
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(entry, createWriteStream(target, { mode: mode ?? 0o644 }));
  }
}
