import { type ReactNode, Suspense } from 'react';
import { Sun } from '../../shared/components/icons/sun.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useFirstView } from '../../shared/routing/first-view.ts';
import { deferredPart } from '../../shared/routing/lazy-part.ts';
import classes from './bare-page.module.css';

const Preferences = deferredPart(async () => (await import('./preferences.tsx')).Preferences);

interface BarePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page without a session: one card, and nothing of the device. */
export function BarePage({ title, children }: BarePageProps) {
  useFirstView();
  return (
    <div className={classes.page}>
      <header className={classes.mark}>
        <Sun size={44} />
        <span>Heliograph</span>
      </header>
      <main className={classes.card}>
        <PageTitle text={title} />
        {children}
      </main>
      <footer className={classes.footer}>
        <Suspense fallback={null}>
          <Preferences />
        </Suspense>
      </footer>
    </div>
  );
}
