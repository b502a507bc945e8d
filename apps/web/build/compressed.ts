import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

const WORTH_IT = /\.(?:js|css|svg|json)$/;

/** Smaller files gain nothing, in bytes. */
const SMALLEST = 512;

/**
 * Puts a `.br` and a `.gz` beside every file that gains by it, as hard as the formats allow: it is done once, and a
 * small board serves them for years.
 */
export function compressed(): Plugin {
  return {
    name: 'heliograph:compressed',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => WORTH_IT.test(fileName));
      await Promise.all(
        files.map(async (file) => {
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          if (source.length < SMALLEST) return;
          const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
          const [br, gz] = await Promise.all([
            withBrotli(source, { params }),
            withGzip(source, { level: constants.Z_BEST_COMPRESSION }),
          ]);
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: br });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gz });
        }),
      );
    },
  };
}
