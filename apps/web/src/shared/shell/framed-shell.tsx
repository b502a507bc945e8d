import type { ReactNode } from 'react';
import { PageTitle } from '../components/title/page-title.tsx';
import frame from '../frame/page-frame.module.css';

/** A page's title in the frame that it will have. */
export function FramedShell({ title }: { readonly title: string }) {
  return (
    <PageShell>
      <PageTitle text={title} />
    </PageShell>
  );
}

/** As much of a page as is known beforehand, in its frame. */
export function PageShell({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <EmptyFrame />
      <main className={frame.content}>{children}</main>
    </>
  );
}

/** The frame of a page whose title is not known yet. */
export function EmptyFrame() {
  return (
    <header className={frame.header}>
      <div className={frame.bar} />
    </header>
  );
}
