import { ApiError, type SitePermission } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { NotFound } from '../frame/not-found.tsx';
import { usePortalSession } from '../session/session.ts';
import { AccessLost } from './access-lost.tsx';
import { deviceQuery, siteQuery } from './queries.ts';
import { type Drafts, SiteContext } from './site-context.tsx';
import { SiteFrame } from './site-frame.tsx';
import { SiteLive } from './site-live.tsx';

/** The site of those who come by an address, and the way to its device. */
export async function loader(): Promise<void> {
  const id = idIn(location.pathname.split('/')[2]);
  if (id === undefined) return;
  await Promise.all([queries.prefetchQuery(siteQuery(id)), queries.prefetchQuery(deviceQuery(id))]);
}

export function Page() {
  const id = idIn(useParams<'/sites/:id/*?'>().id);
  return id === undefined ? <NotFound /> : <SitePage key={id} id={id} />;
}

function idIn(text = ''): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

/** One connection for all parts of the site, from when somebody comes until they leave. */
function SitePage({ id }: { readonly id: number }) {
  const session = usePortalSession();
  const site = useQuery(siteQuery(id));
  const device = useQuery(deviceQuery(id));
  const [drafts] = useState<Drafts>(() => new Map());
  if (site.error instanceof ApiError && site.error.status === 404)
    return site.data === undefined ? <NotFound /> : <AccessLost site={site.data} />;
  if (site.data === undefined) {
    return site.isError ? <Failure error={site.error} onRetry={() => void site.refetch()} /> : <Loading />;
  }
  if (device.isPending) return <Loading />;
  const { users, permissions } = site.data;
  const onPage = {
    site: site.data,
    role: users.find((member) => member.id === session.user?.id)?.role ?? null,
    may: (permission: SitePermission) => permissions.includes(permission),
    device: device.data,
    drafts,
  };
  return (
    <SiteContext value={onPage}>
      <SiteLive>
        <SiteFrame />
      </SiteLive>
    </SiteContext>
  );
}
