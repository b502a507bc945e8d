import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

const WORTH_IT = /\.(?:js|css|svg)$/;

/** Smaller files gain nothing, in bytes. */
const SMALLEST = 512;

/**
 * Puts a `.br` and a `.gz` beside every file that gains by it, as hard as the formats allow: it is done once, and a
 * small board serves them for years. It looks at what was written in the end, since other plugins change files late.
 */
export function compressed(): Plugin {
  return {
    name: 'heliograph:compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((file) => WORTH_IT.test(file));
      await Promise.all(files.map((file) => compress(join(dir, file))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const source = await readFile(file);
  if (source.length < SMALLEST) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [br, gz] = await Promise.all([
    withBrotli(source, { params }),
    withGzip(source, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
