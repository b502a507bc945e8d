import type { ReactNode } from 'react';

/** What has come just now and matters: it is brought into view, and screen readers tell it. */
export function Announcement({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
      {children}
    </div>
  );
}
