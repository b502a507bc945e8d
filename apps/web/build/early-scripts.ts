import type { Plugin } from 'vite';

/**
 * Has a page's early script run as soon as it is there: Vite makes one script of all that an HTML file names, which runs
 * when the last of the libraries has come. The early script is the chunk `early-portal` of `portal.html`; the page's own
 * script imports it, and finds that it has run.
 */
export function earlyScripts(): Plugin {
  return {
    name: 'heliograph:early-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        const name = `early-${path.replace(/^\/|\.html$/g, '')}`;
        const script = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === name);
        if (script === undefined) return html;
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${script.fileName}` };
        return { html, tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] };
      },
    },
  };
}
