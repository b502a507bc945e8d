import type { ReactNode } from 'react';

/** New content that matters: it scrolls into view, and screen readers announce it. */
export function Announcement({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
      {children}
    </div>
  );
}
