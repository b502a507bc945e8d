import type { ConsentRequest } from '@heliograph/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { Loading } from '../../shared/components/states/loading.tsx';
import { useBrandColors } from '../brand/use-brand-colors.ts';
import { BarePage } from '../frame/bare-page.tsx';
import { ApplicationMark } from './application-mark.tsx';
import { Asked } from './asked.tsx';
import { ConsentApi } from './consent-api.ts';
import { consentRequest } from './consent-queries.ts';
import { Over } from './over.tsx';

/** Asks the person in front of the browser whether a program may have what it asks for. */
export function Page() {
  const { uid = '' } = useParams();
  const [api] = useState(() => new ConsentApi(uid));
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

  return (
    <BarePage {...(data && { brand: <ApplicationMark request={data} /> })}>
      {content(data, error, () => void refetch(), uid, api)}
    </BarePage>
  );
}

function content(
  request: ConsentRequest | undefined,
  error: Error | null,
  onOutdated: () => void,
  uid: string,
  api: ConsentApi,
) {
  if (error !== null) return <Over error={error} onRetry={onOutdated} />;
  if (request === undefined) return <Loading />;
  return <Asked uid={uid} api={api} request={request} onOutdated={onOutdated} />;
}
