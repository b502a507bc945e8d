import { ApiError, type Site, type SitePermission } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { FollowDevice, ProvideValues } from '../../shared/live/live-context.tsx';
import { LiveValues } from '../../shared/live/live-values.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { NotFound } from '../frame/not-found.tsx';
import { usePortalSession } from '../session/session.ts';
import { deviceQuery, SITE_LISTS_KEY, siteQuery } from './queries.ts';
import { type Drafts, SiteContext, useSite } from './site-context.tsx';
import { SiteFrame } from './site-frame.tsx';
import { WatchSiteState } from './site-state.tsx';

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

/** One connection to the device for all tabs of the site. */
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

/** Replaces an open site after the reader's access was revoked. */
function AccessLost({ site: { id, name } }: { readonly site: Site }) {
  const { t } = useTranslation('sites');
  const { t: portal } = useTranslation('portal');
  const queries = useQueryClient();
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
  }, [queries]);
  return (
    <Stack align="flex-start" maw="36rem">
      <PageTitle text={t('lost.title', { site: name ?? t('unnamed', { id }) })} focusOnMount />
      <Text>{t('lost.text')}</Text>
      <Button component={Link} href="/sites">
        {portal('notFound.toSites')}
      </Button>
    </Stack>
  );
}

/** The device's values for all below; none where there is no way to the device, so that all else still shows. */
function SiteLive({ children }: { readonly children: ReactNode }) {
  const { device } = useSite();
  const [none] = useState(() => new LiveValues());
  const watched = <WatchSiteState>{children}</WatchSiteState>;
  if (device === undefined) return <ProvideValues values={none}>{watched}</ProvideValues>;
  return <FollowDevice device={device}>{watched}</FollowDevice>;
}
