import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { storePreference } from '../browser/cookie.ts';

/** The server writes the scheme that it finds there into the page, so that nothing flashes. */
const COOKIE = 'heliograph_scheme';

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark'];

/** Keeps a person's choice of light or dark in this browser. */
export function colorSchemeInCookie(): MantineColorSchemeManager {
  // Before Mantine writes there what it makes of it.
  const written = document.documentElement.getAttribute('data-mantine-color-scheme');
  let chosen = SCHEMES.find((scheme) => scheme === written);
  return {
    get: (otherwise) => chosen ?? otherwise,
    set(scheme) {
      chosen = scheme;
      storePreference(COOKIE, scheme);
    },
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    clear() {
      chosen = undefined;
      storePreference(COOKIE, 'auto');
    },
  };
}
