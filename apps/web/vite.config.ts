import { staticModules } from '@heliograph/contracts/build/static-modules';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { CHUNK_GROUPS, COMPILE_EAGERLY, isFirst } from './build/chunks.ts';
import { mantineStyles } from './build/mantine-styles.ts';
import { oldBrowserScript } from './build/old-browser-script.ts';
import { BUILD_TARGET } from './build/oldest-browsers.ts';
import { preloadScripts } from './build/preload-scripts.ts';
import { sessionPreloads } from './build/session-preloads.ts';
import { textModules } from './build/text-modules.ts';
import { uplotLanguage } from './build/uplot-language.ts';

/** The server replaces it by a fresh nonce in every page. */
const NONCE_PLACEHOLDER = '%NONCE%';

export default defineConfig({
  root: import.meta.dirname,
  // Both servers serve it at the root, whatever their address.
  base: '/',
  plugins: [
    react(),
    staticModules(),
    mantineStyles(),
    uplotLanguage(),
    textModules(),
    oldBrowserScript(),
    preloadScripts(),
    sessionPreloads(),
  ],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    target: BUILD_TARGET,
    outDir: 'dist',
    emptyOutDir: true,
    // The server announces the chunks of the visitor's language to the browser in headers.
    manifest: 'manifest.json',
    // A data: URL is not what the policy of the pages allows for scripts and styles, and files are cached better.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The reader of the API is one script.
    chunkSizeWarningLimit: 2_000,
    // Every browser of the target does it by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Each name of a chunk is in the tables of the first script, where it cannot be compressed.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        entryFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: { groups: CHUNK_GROUPS },
        postBanner: ({ name }) => (isFirst(name) ? COMPILE_EAGERLY : ''),
      },
      input: {
        portal: 'portal.html',
        device: 'device.html',
        catalogue: 'catalogue.html',
        docs: 'docs.html',
        offline: 'offline.html',
      },
    },
  },
});
