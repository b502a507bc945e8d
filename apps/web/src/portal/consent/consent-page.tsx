import type { ConsentRequest } from '@heliograph/contracts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { Loading } from '../../shared/components/states/loading.tsx';
import { useBrandColors } from '../brand/brand.tsx';
import { logoPath } from '../brand/logo-path.ts';
import { BarePage } from '../frame/bare-page.tsx';
import { BrandMark } from '../frame/brand-mark.tsx';
import classes from './consent.module.css';
import { consentRequest } from './consent-calls.ts';
import { ConsentFlow, type ConsentProgress } from './consent-flow.tsx';
import { ConsentUnavailable } from './consent-unavailable.tsx';

/** Asks the person in front of the browser whether a program may have what it asks for. */
export function Page() {
  const { uid = '' } = useParams();
  const [progress, setProgress] = useState<ConsentProgress>('arrived');
  const { data, error, refetch } = useQuery(consentRequest(uid));
  useBrandColors(data?.organization ?? null);

  useEffect(() => {
    // A page that the browser had kept: what it shows may be over.
    const look = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) void refetch();
    };
    addEventListener('pageshow', look);
    return () => removeEventListener('pageshow', look);
  }, [refetch]);

  const outdate = (): void => void refetch();
  const content = (): ReactNode => {
    if (error !== null) return <ConsentUnavailable error={error} onRetry={outdate} />;
    if (data === undefined) return <Loading />;
    const step = (next: ConsentProgress): void => {
      setProgress(next);
      outdate();
    };
    return (
      <ConsentFlow uid={uid} request={data} progress={progress} onProgress={step} onOutdated={outdate} />
    );
  };
  return <BarePage {...(data && { brand: <ApplicationMark request={data} /> })}>{content()}</BarePage>;
}

/** The logo of the application's organization; the service's own for an unknown program. */
function ApplicationMark({ request: { organization } }: { readonly request: ConsentRequest }) {
  if (organization === null) return <BrandMark />;
  const logo = logoPath(organization);
  return (
    <div className={classes.brand}>
      {logo !== null && <img className={classes.logo} src={logo} alt="" />}
      <span>{organization.name}</span>
    </div>
  );
}
