import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { pageNonce } from './browser/nonce.ts';
import { mayRetry } from './errors/retry.ts';
import './shell/slow-load-notice.css';
import { colorSchemeInCookie } from './theme/color-scheme.ts';
import './theme/mantine.css.ts';
import { theme } from './theme/theme.ts';
import './theme/tokens.css';

/** How long an answer counts as fresh, in milliseconds: going back and forth between pages asks nothing again. */
const FRESH_FOR_MS = 15_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH_FOR_MS, retry: mayRetry },
    // What changes something is never sent twice by itself.
    mutations: { retry: false },
  },
});

const nonce = pageNonce();
// What keeps the page behind a dialog still makes a style element too, and looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });
const schemes = colorSchemeInCookie();

/** Puts an application on the page, with everything that all of them stand on. */
export function show(app: ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root');
  createRoot(root).render(
    <StrictMode>
      <Arrived root={root} />
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={schemes}
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>{app}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

/** Until then the root holds what the server had to say, and a way on for whoever waits in vain stands beside it. */
function Arrived({ root }: { readonly root: HTMLElement }) {
  useLayoutEffect(() => {
    root.removeAttribute('aria-busy');
    document.getElementById('slow-load')?.remove();
  }, [root]);
  return null;
}
