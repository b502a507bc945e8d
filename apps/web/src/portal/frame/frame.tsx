import type { ReactNode } from 'react';
import { PageFrame } from '../../shared/frame/page-frame.tsx';
import { usePortalSession } from '../session/session.ts';
import { BrandMark } from './brand-mark.tsx';
import { FooterPreferences } from './footer-preferences.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';

/** What every page of the portal stands in: whose pages these are, where one can go, who is signed in. */
export function Frame({ children }: { children: ReactNode }) {
  const { user } = usePortalSession();
  const header = (
    <>
      <BrandMark />
      {user !== null && <Navigation />}
      <div className={classes.end}>
        <UserMenu />
      </div>
    </>
  );
  return (
    <PageFrame header={header} footer={<FooterPreferences />}>
      {children}
    </PageFrame>
  );
}
