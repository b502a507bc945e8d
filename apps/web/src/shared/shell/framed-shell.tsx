import { PageTitle } from '../components/title/page-title.tsx';
import frame from '../frame/page-frame.module.css';

/** A page's title in the frame that it will have. */
export function FramedShell({ title }: { readonly title: string }) {
  return (
    <>
      <EmptyFrame />
      <main className={frame.content}>
        <PageTitle text={title} />
      </main>
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
