import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * How hard files are compressed: `smallest` takes longer than all the rest of a build, and is for packages, since a small board
 * serves them for years; `quick` gives files that are about a tenth larger.
 */
export type Compression = 'quick' | 'smallest';

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

const LEVELS: Readonly<Record<Compression, { readonly brotli: number; readonly gzip: number }>> = {
  quick: { brotli: 5, gzip: 6 },
  smallest: { brotli: constants.BROTLI_MAX_QUALITY, gzip: constants.Z_BEST_COMPRESSION },
};

const WORTH_IT = /\.(?:js|css|svg)$/;

/** Smaller files gain nothing, in bytes. */
const SMALLEST = 512;

/** Puts a `.br` and a `.gz` beside every asset that gains by it. */
export async function compressAssets(folder: string, compression: Compression): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => WORTH_IT.test(file));
  await Promise.all(files.map((file) => compress(join(folder, file), compression)));
}

async function compress(file: string, compression: Compression): Promise<void> {
  const source = await readFile(file);
  if (source.length < SMALLEST) return;
  const levels = LEVELS[compression];
  const params = { [constants.BROTLI_PARAM_QUALITY]: levels.brotli };
  const [br, gz] = await Promise.all([
    withBrotli(source, { params }),
    withGzip(source, { level: levels.gzip }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
