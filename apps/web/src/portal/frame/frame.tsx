import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortalSession } from '../session/session.ts';
import { BrandMark } from './brand-mark.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';

/** What every page of the portal stands in: whose pages these are, where one can go, who is signed in. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('portal');
  const { user } = usePortalSession();
  return (
    <>
      <a className={classes.skip} href="#content">
        {t('frame.skip')}
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>
          <BrandMark />
          {user !== null && <Navigation />}
          <div className={classes.end}>
            <UserMenu />
          </div>
        </div>
      </header>
      <main className={classes.content} id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
