import { MantineContext, MantineThemeProvider, useProviderColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageNonce } from '../browser/nonce.ts';
import { colorSchemeInCookie } from './color-scheme.ts';
import { theme } from './theme.ts';

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
