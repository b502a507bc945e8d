/**
 * The oldest versions of browsers that the pages support, by their names in MDN's data. WebViews have the versions of
 * these. `docs/install.md` and the sentence for older ones (`waiting.tooOld`) name them.
 */
export const OLDEST_BROWSERS = { chrome: '111', edge: '111', firefox: '115', safari: '16.4' } as const;

/** Target of syntax and styles; functions are not lowered (`test/oldest-browsers`). */
export const BUILD_TARGET: string[] = Object.entries(OLDEST_BROWSERS).map(
  ([browser, version]) => `${browser}${version}`,
);
