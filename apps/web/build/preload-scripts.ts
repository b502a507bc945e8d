import type { Plugin } from 'vite';

/**
 * Runs a page's preload script as soon as it has loaded: Vite makes one script of everything that an HTML file names,
 * and that runs after the last of the libraries. The preload script of `portal.html` is the chunk `preload-portal`; the
 * page's own script imports it, and it does not run twice.
 */
export function preloadScripts(): Plugin {
  return {
    name: 'heliograph:preload-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        const name = `preload-${path.replace(/^\/|\.html$/g, '')}`;
        const script = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === name);
        if (script === undefined) return html;
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${script.fileName}` };
        return { html, tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] };
      },
    },
  };
}
