import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = join(import.meta.dirname, '../src/shared/shell/old-browser.js');

const COMMENT = /\/\*[\s\S]*?\*\/\n/;

/**
 * Adds the script to the pages that shows a sentence in browsers older than the oldest supported one. It is served as it is
 * written: those browsers may not parse the others.
 */
export function oldBrowserScript(): Plugin {
  const source = readFileSync(SOURCE, 'utf8').replace(COMMENT, '');
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 7);
  const fileName = `assets/old-browser-${digest}.js`;
  return {
    name: 'heliograph:old-browser-script',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: {
      order: 'post',
      // A page without a connection has only the files that its worker stored.
      handler: (html, { path }) =>
        path === '/offline.html'
          ? html
          : {
              html,
              tags: [{ tag: 'script', attrs: { defer: true, src: `/${fileName}` }, injectTo: 'head' }],
            },
    },
  };
}
