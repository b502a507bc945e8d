import type { ReactNode } from 'react';
import classes from './bare-page.module.css';
import { BrandMark } from './brand-mark.tsx';
import { FooterPreferences } from './footer-preferences.tsx';

interface BarePageProps {
  /** The brand of the page, where it is not the portal's organization. */
  readonly brand?: ReactNode;
  readonly children: ReactNode;
}

/** A page that is about one thing: a card, and nowhere to go but on. */
export function BarePage({ brand = <BrandMark />, children }: BarePageProps) {
  return (
    <div className={classes.page}>
      <header>{brand}</header>
      <main className={classes.card}>{children}</main>
      <footer>
        <FooterPreferences />
      </footer>
    </div>
  );
}
