import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { Loading } from '../../shared/components/states/loading.tsx';
import { useBrandColors } from '../brand/use-brand-colors.ts';
import { BarePage } from '../frame/bare-page.tsx';
import { ApplicationMark } from './application-mark.tsx';
import { Asked, type Step } from './asked.tsx';
import { ConsentApi } from './consent-api.ts';
import { consentRequest } from './consent-queries.ts';
import { Over } from './over.tsx';

/** Asks the person in front of the browser whether a program may have what it asks for. */
export function Page() {
  const { uid = '' } = useParams();
  const [api] = useState(() => new ConsentApi(uid));
  const [lastStep, setLastStep] = useState<Step>('arrived');
  const { data, error, refetch } = useQuery(consentRequest(uid, api));
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
    if (error !== null) return <Over error={error} onRetry={outdate} />;
    if (data === undefined) return <Loading />;
    const step = (next: Step): void => {
      setLastStep(next);
      outdate();
    };
    return (
      <Asked uid={uid} api={api} request={data} lastStep={lastStep} onStep={step} onOutdated={outdate} />
    );
  };
  return <BarePage {...(data && { brand: <ApplicationMark request={data} /> })}>{content()}</BarePage>;
}
