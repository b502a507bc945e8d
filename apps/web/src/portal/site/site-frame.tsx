import { Text } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Route, Switch, useLocation } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { ErrorBoundary } from '../../shared/components/states/error-boundary.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { StateBadge } from '../../shared/components/status/state-badge.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useLiveState } from '../../shared/live/live-banner.tsx';
import { pagesOf } from '../../shared/routing/lazy-page.ts';
import { SiteInvitationCards } from '../parts/site-invitation-cards.tsx';
import { TabLinks } from '../parts/tab-links.tsx';
import { usePortalSession } from '../session/session.ts';
import { BackToSites } from './back-to-sites.tsx';
import { useSite } from './site-context.tsx';
import classes from './site-frame.module.css';
import { useSiteState } from './site-state.tsx';
import { TAB_SOURCES } from './tab-table.ts';

/** Members who only read the site are not shown who has access as support. */
const SUPPORT_READERS = ['audit', 'consent', 'support'] as const;

/** The header of a site and its tabs. */
export function SiteFrame() {
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
