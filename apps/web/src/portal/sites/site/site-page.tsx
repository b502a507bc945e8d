import { ApiError, type Site, type SitePermission } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Route, Switch, useLocation, useParams } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { ErrorBoundary } from '../../../shared/components/states/error-boundary.tsx';
import { Failure } from '../../../shared/components/states/failure.tsx';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { useLiveState } from '../../../shared/live/live-banner.tsx';
import { FollowDevice, ProvideValues } from '../../../shared/live/live-context.tsx';
import { LiveValues } from '../../../shared/live/live-values.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { pagesOf } from '../../../shared/routing/lazy-page.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { usePortalSession } from '../../session/session.ts';
import { TabLinks } from '../../ui/tabs/tab-links.tsx';
import { SiteInvitationCards } from '../invitations/site-invitation-cards.tsx';
import { BackToSites } from './back-to-sites.tsx';
import { deviceQuery, SITE_LISTS_KEY, siteQuery } from './queries.ts';
import { type Drafts, SiteContext, useSite } from './site-context.tsx';
import classes from './site-frame.module.css';
import { useSiteState, WatchSiteState } from './site-state.tsx';
import { TAB_SOURCES } from './tab-table.ts';

/** Members who only read the site are not shown who has access as support. */
const SUPPORT_READERS = ['audit', 'consent', 'support'] as const;

/** The header of a site and its tabs. */
function SiteFrame() {
  const { t } = useTranslation('sites');
  const { site, may } = useSite();
  const state = useSiteState();
  const live = useLiveState();
  const title = site.name ?? t('unnamed', { id: site.id });
  const [location] = useLocation();
  const mayReadSupport = SUPPORT_READERS.some(may);
  const links = TABS.flatMap(({ part, name }) =>
    name === undefined || (part === '/support' && !mayReadSupport)
      ? []
      : [{ href: `/sites/${site.id}${part}`, label: t(name) }],
  );
  const self = usePortalSession().user?.id;
  const own = site.users.find(({ id }) => id === self);
  const isPending = own?.pending === true || (own?.role === 'owner' && site.transfer !== null);
  const part = links.find(({ href }) => href === location)?.label;
  return (
    <div className={classes.site}>
      <div>
        <BackToSites />
        <div className={classes.head}>
          <PageTitle text={title} part={part} />
          {live !== 'browser-offline' && (
            <StateBadge state={state} isLive={live === 'live'} lastSeenAt={site.last_seen_at} />
          )}
        </div>
        {site.description && <p className={classes.description}>{site.description}</p>}
      </div>
      {isPending && <SiteInvitationCards siteId={site.id} />}
      <TabLinks label={title} links={links} />
      <Switch>
        {TABS.map(({ path, Page }) => (
          <Route key={path} path={path}>
            <ErrorBoundary>
              <Suspense fallback={<Loading />}>
                <Page />
              </Suspense>
            </ErrorBoundary>
          </Route>
        ))}
        <Route>
          <TabNotFound />
        </Route>
      </Switch>
    </div>
  );
}

/** For a path below a site that leads nowhere; the parts that there are stand above it. */
function TabNotFound() {
  const { t } = useTranslation('portal');
  return (
    <Card title={t('notFound.title')}>
      <Text>{t('notFound.text')}</Text>
    </Card>
  );
}

/** The parts of a site, ready to be loaded. */
const TABS = pagesOf(TAB_SOURCES);

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
