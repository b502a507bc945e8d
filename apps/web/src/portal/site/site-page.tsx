import { ApiError } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { usePortalSession } from '../session/session.ts';
import { deviceQuery, siteQuery } from './queries.ts';
import { rightsOn } from './rights.ts';
import { type Drafts, SiteContext } from './site-context.tsx';
import { SiteFrame } from './site-frame.tsx';
import { SiteLive } from './site-live.tsx';

export function Page() {
  const { id = '' } = useParams<'/sites/:id/*?'>();
  return /^[1-9]\d{0,9}$/.test(id) ? <SitePage key={id} id={Number(id)} /> : <NotFound />;
}

/** One connection for all parts of the site, from when somebody comes until they leave. */
function SitePage({ id }: { readonly id: number }) {
  const session = usePortalSession();
  const site = useQuery(siteQuery(id));
  const device = useQuery(deviceQuery(id));
  const [drafts] = useState<Drafts>(() => new Map());
  if (site.error instanceof ApiError && site.error.status === 404) return <NotFound />;
  if (site.data === undefined) {
    return site.isError ? <Failure error={site.error} onRetry={() => void site.refetch()} /> : <Loading />;
  }
  if (device.isPending) return <Loading />;
  const onPage = { site: site.data, rights: rightsOn(site.data, session), device: device.data, drafts };
  return (
    <SiteContext value={onPage}>
      <SiteLive>
        <SiteFrame />
      </SiteLive>
    </SiteContext>
  );
}
