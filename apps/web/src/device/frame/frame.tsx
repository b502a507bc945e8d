import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Sun } from '../../shared/components/icons/sun.tsx';
import { PageFrame } from '../../shared/frame/page-frame.tsx';
import { useDeviceSession } from '../session/session.ts';
import { SignOutButton } from '../session/sign-out-button.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { Preferences } from './preferences.tsx';

/** What every page of the device stands in. */
export function Frame({ children }: { children: ReactNode }) {
  const { site_name: siteName, via } = useDeviceSession();
  const header = (
    <>
      <Link className={classes.brand} href="/">
        <Sun />
        <span>{siteName ?? 'Heliograph'}</span>
      </Link>
      <Navigation />
    </>
  );
  const footer = (
    <div className={classes.footer}>
      <Preferences />
      {via === 'lan' && (
        <div className={classes.end}>
          <SignOutButton />
        </div>
      )}
    </div>
  );
  return (
    <PageFrame header={header} footer={footer}>
      {children}
    </PageFrame>
  );
}
