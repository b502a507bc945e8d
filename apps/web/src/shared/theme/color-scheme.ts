import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { cookie, keepCookie } from '../browser/cookie.ts';

/** The server writes the scheme that it finds there into the page, so that nothing flashes. */
const COOKIE = 'heliograph_scheme';

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

/** Keeps a person's choice of light or dark in this browser. */
export function colorSchemeInCookie(): MantineColorSchemeManager {
  return {
    get: (otherwise) => SCHEMES.find((scheme) => scheme === cookie(COOKIE)) ?? otherwise,
    set: (scheme) => keepCookie(COOKIE, scheme),
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    clear: () => keepCookie(COOKIE, 'auto'),
  };
}
