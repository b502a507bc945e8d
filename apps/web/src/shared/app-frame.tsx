import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { pageNonce } from './browser/nonce.ts';
import { queries } from './queries/query-client.ts';
import { SlowChangeNotice } from './shell/slow-change-notice.tsx';
import './shell/slow-load-notice.css';
import './theme/mantine.css.ts';
import { ThemeProvider } from './theme/theme-provider.tsx';
import './theme/tokens.css';

// The scroll lock of dialogs adds a style element and reads its nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

/** Renders an application with the providers that every application needs. */
export function show(app: ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root');
  createRoot(root).render(
    <StrictMode>
      <RemoveNotice root={root} />
      <ThemeProvider>
        <QueryClientProvider client={queries}>{app}</QueryClientProvider>
        <SlowChangeNotice />
      </ThemeProvider>
    </StrictMode>,
  );
}

/** Ends the prerendered shell: the root is no longer busy, and the slow-load notice goes. */
function RemoveNotice({ root }: { readonly root: HTMLElement }) {
  useLayoutEffect(() => {
    root.removeAttribute('aria-busy');
    document.getElementById('slow-load')?.remove();
  }, [root]);
  return null;
}
