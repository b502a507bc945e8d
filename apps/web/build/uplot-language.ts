import type { Plugin } from 'vite';

const UPLOT = /\/node_modules\/uplot\/dist\/[^/]+\.js$/;

/** `Intl` refuses the languages that some browsers name, and uPlot would not load there. */
const LANGUAGE_OF_NUMBERS = "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')";

/** Makes uPlot load whatever language the browser names. Its own numbers are not shown: the curves write theirs. */
export function uplotLanguage(): Plugin {
  return {
    name: 'heliograph:uplot-language',
    enforce: 'pre',
    // The development server would bundle it in advance, without plugins.
    config: () => ({ optimizeDeps: { exclude: ['uplot'] } }),
    transform(code, id) {
      if (!UPLOT.test(id)) return undefined;
      const usable = code.replace(LANGUAGE_OF_NUMBERS, 'new Intl.NumberFormat()');
      if (usable === code) throw new Error(`${id} has another language of numbers than expected`);
      return { code: usable, map: null };
    },
  };
}
