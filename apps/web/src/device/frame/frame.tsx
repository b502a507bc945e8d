import { type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import { Sun } from '../../shared/components/icons/sun.tsx';
import { PageFrame } from '../../shared/frame/page-frame.tsx';
import { deferredPart } from '../../shared/routing/lazy-part.ts';
import { useDeviceSession } from '../session/session.ts';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';

const Bell = deferredPart(async () => (await import('./bell.tsx')).Bell);

const Foot = deferredPart(async () => (await import('./foot.tsx')).Footer);

const Support = deferredPart(async () => (await import('./foot.tsx')).loadSupport());

/** The frame of every page of the device. */
export function Frame({ children }: { children: ReactNode }) {
  const { site_name: siteName } = useDeviceSession();
  const header = (
    <>
      <Link className={classes.brand} href="/">
        <Sun />
        <span>{siteName ?? 'Heliograph'}</span>
      </Link>
      <Navigation />
      <Suspense fallback={null}>
        <Bell />
      </Suspense>
    </>
  );
  const footer = (
    <Suspense fallback={null}>
      <Foot />
    </Suspense>
  );
  return (
    <PageFrame header={header} footer={footer}>
      <Suspense fallback={null}>
        <Support />
      </Suspense>
      {children}
    </PageFrame>
  );
}
