import {
  type MantineColorScheme,
  type MantineColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { storePreference } from '../browser/cookie.ts';
import { pageNonce } from '../browser/nonce.ts';
import { theme } from './theme.ts';

/** The server writes the scheme that it finds there into the page, so that nothing flashes. */
const COOKIE = 'heliograph_scheme';

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark'];

/** Keeps a person's choice of light or dark in this browser. */
function colorSchemeInCookie(): MantineColorSchemeManager {
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

const getRootElement = (): HTMLElement => document.documentElement;
const manager = colorSchemeInCookie();

/**
 * Provides the theme to components of Mantine. `MantineProvider` also computes hundreds of CSS variables and classes, which
 * the style sheets of a page have already.
 */
export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const scheme = useProviderColorScheme({
    manager,
    defaultColorScheme: 'auto',
    forceColorScheme: undefined,
    getRootElement,
  });
  return (
    <MantineContext
      value={{
        ...scheme,
        getRootElement,
        getStyleNonce: pageNonce,
        classNamesPrefix: 'mantine',
        cssVariablesSelector: ':root',
        withStaticClasses: true,
      }}
    >
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
