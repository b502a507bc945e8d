import type { SiteCounts } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, useSearchParams } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { Card } from '../../shared/components/card/card.tsx';
import { ChoiceBar } from '../../shared/components/choice/choice-bar.tsx';
import { SearchField } from '../../shared/components/form/search-field.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { pathOfPortalLink } from '../routing/portal-link.ts';
import { usePortalSession } from '../session/session.ts';
import { MoreButton } from '../ui/lists/more-button.tsx';
import { QueryResult } from '../ui/lists/query-result.tsx';
import { looksAfterOthers } from './bulk/looks-after-others.ts';
import { FirstQuestion } from './first-question.ts';
import { SiteInvitationCards } from './invitations/site-invitation-cards.tsx';
import { siteCountsQuery, sitesQuery } from './list/queries.ts';
import { rememberedLayout, rememberLayout } from './list/remembered-layout.ts';
import {
  ALERT_FILTERS,
  queryOf,
  SITE_FILTERS,
  SITE_LAYOUTS,
  type SiteFilter,
  type SiteLayout,
  type SiteSearch,
  searchFrom,
  searchParams,
} from './list/search.ts';
import { SiteCard } from './list/site-card.tsx';
import classes from './list/sites-page.module.css';
import { shownOf, totalOf } from './table/total-of.ts';

/** Those with a few sites never need its script. */
const SiteTable = lazy(async () => ({ default: (await import('./table/site-table.tsx')).SiteTable }));
const SiteMap = lazy(async () => ({ default: (await import('./map/site-map.tsx')).SiteMap }));
/** Few visitors come to the pages of an organization that their account does not belong to. */
const JoinOrganizationCard = lazy(async () => ({
  default: (await import('./list/join-organization-card.tsx')).JoinOrganizationCard,
}));
const SavedViews = lazy(async () => ({ default: (await import('./list/saved-views.tsx')).SavedViews }));

/** The list of those who come by an address, as it is when it is read. */
export async function loader(): Promise<void> {
  const search = searchFrom(new URLSearchParams(location.search), rememberedLayout());
  if (search.layout === 'cards') await queries.prefetchInfiniteQuery(sitesQuery(search));
}

export function Page() {
  const { t } = useTranslation('sites');
  const target = pathOfPortalLink(useLocationProperty(() => location.hash));
  const [params, setParams] = useSearchParams();
  const search = searchFrom(params, rememberedLayout());
  const { data: counts, isPlaceholderData } = useQuery(siteCountsQuery(search.text));
  const { list, isEverything, isSingle, hasNone: isEmpty } = useSiteList(search);
  const countsNone = counts !== undefined && !isPlaceholderData && totalOf(counts) === 0;
  const hasNone = search.layout === 'cards' ? isEmpty : isEverything && countsNone;
  const session = usePortalSession();
  const { home, may_join: mayJoin } = session;
  const isAlone = !looksAfterOthers(session);
  // An address with a search or a view is one of the list; the link from a site back to the list names the view.
  const [isListWanted] = useState(params.size > 0);
  const change = (changed: Partial<SiteSearch>) =>
    setParams(searchParams({ ...search, page: 1, ...changed }, rememberedLayout()), { replace: true });
  if (target !== undefined) return <Redirect to={target} replace />;
  const [only, ...others] = list.data ?? [];
  if (!isListWanted && isAlone && !mayJoin && only !== undefined && others.length === 0)
    return <Redirect to={`/sites/${only.id}`} replace />;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageTitle text={t('list.title')} />
        {!hasNone && (
          <Button component={Link} href="/sites/add">
            {t('list.add')}
          </Button>
        )}
      </div>
      {!hasNone && (
        <div className={classes.tools}>
          <SearchField label={t('list.search')} value={search.text} onChange={(text) => change({ text })} />
          <SiteFilterControl
            filter={search.filter}
            counts={counts}
            onChange={(filter) => change({ filter })}
          />
          <LayoutControl
            layout={search.layout}
            onChange={(layout) => {
              rememberLayout(layout);
              change({ layout });
            }}
          />
        </div>
      )}
      {!hasNone && !(search.layout === 'cards' && isSingle) && (
        <Suspense fallback={<div className={classes.awaitedViews} />}>
          <SavedViews search={search} />
        </Suspense>
      )}
      <SiteInvitationCards />
      {mayJoin && home !== null && (
        <Suspense fallback={null}>
          <JoinOrganizationCard organization={home} />
        </Suspense>
      )}
      {search.layout === 'cards' ? (
        <SiteList search={search} />
      ) : hasNone ? (
        <NoSites />
      ) : (
        <Suspense fallback={<Loading />}>
          {search.layout === 'map' ? (
            <SiteMap search={search} />
          ) : (
            <SiteTable search={search} counts={counts} onChange={change} />
          )}
        </Suspense>
      )}
    </div>
  );
}

interface SiteFilterControlProps {
  readonly filter: SiteFilter;
  readonly counts: SiteCounts | undefined;
  readonly onChange: (filter: SiteFilter) => void;
}

/** The counts of states and alerts are part of their choices, and filter the list. */
function SiteFilterControl({ filter, counts, onChange }: SiteFilterControlProps) {
  const { t } = useTranslation('sites');
  const { number } = useFormat();
  const countOf = (value: SiteFilter): string => {
    if (counts === undefined) return '';
    return ` (${number(shownOf(counts, value))}${counts.complete ? '' : '+'})`;
  };
  const { t: ofShared } = useTranslation();
  const states = SITE_FILTERS.map((value) => ({
    value,
    label: value === 'all' ? t('list.all') : ofShared(`state.${value}`),
  }));
  const alerts = ALERT_FILTERS.filter(
    (value) => value === filter || (counts && counts.alerts[value] > 0),
  ).map((value) => ({ value, label: `${t('tabs.alerts')}: ${t(`openAlerts.${value}`)}` }));
  const choices = [...states, ...alerts].map(({ value, label }) => ({
    value,
    label: label + countOf(value),
  }));
  return <ChoiceBar label={t('list.shown')} choices={choices} value={filter} onChange={onChange} />;
}

interface LayoutControlProps {
  readonly layout: SiteLayout;
  readonly onChange: (layout: SiteLayout) => void;
}

function LayoutControl({ layout, onChange }: LayoutControlProps) {
  const { t } = useTranslation('sites');
  const labels = { cards: t('fleet.cards'), table: t('fleet.table'), map: t('fleet.map') } as const;
  const choices = SITE_LAYOUTS.map((value) => ({ value, label: labels[value] }));
  return <ChoiceBar label={t('fleet.layout')} choices={choices} value={layout} onChange={onChange} />;
}

function SiteList({ search }: { readonly search: SiteSearch }) {
  const { t } = useTranslation('sites');
  const { user } = usePortalSession();
  const { list, isEverything, hasNone } = useSiteList(search);
  return (
    <QueryResult query={list}>
      {(sites) => {
        if (hasNone) return <NoSites />;
        if (sites.length === 0)
          return <Empty title={t('list.nothingFound')}>{t('list.nothingFoundHint')}</Empty>;
        return (
          <>
            <ul className={classes.list} aria-label={t('list.title')} aria-busy={list.isPlaceholderData}>
              {sites.map((site) => (
                <li key={site.id}>
                  <SiteCard site={site} isOnly={isEverything && sites.length === 1} />
                </li>
              ))}
            </ul>
            <MoreButton list={list} />
            {/* Above, it would push the cards away from a finger that comes down on them. */}
            {sites.some(({ owner }) => owner.id === user?.id) && (
              <Suspense fallback={null}>
                <FirstQuestion />
              </Suspense>
            )}
          </>
        );
      }}
    </QueryResult>
  );
}

/** The first steps of a new user. */
function NoSites() {
  const { t } = useTranslation('sites');
  return (
    <Card title={t('first.title')}>
      <ol className={classes.steps}>
        <li>{t('first.connect')}</li>
        <li>{t('first.open')}</li>
        <li>{t('first.add')}</li>
      </ol>
      <p className={classes.note}>{t('first.invited')}</p>
      <Button className={classes.button} component={Link} href="/sites/add">
        {t('list.add')}
      </Button>
    </Card>
  );
}

function useSiteList(search: SiteSearch) {
  const list = useInfiniteQuery({ ...sitesQuery(search), enabled: search.layout === 'cards' });
  const isEverything = queryOf(search) === '';
  // A placeholder of another search does not mean that there are no sites.
  const isKnown = isEverything && !list.isPlaceholderData;
  const hasNone = isKnown && list.data?.length === 0;
  // A view of one site would be the site; until the list has come, there may be no more.
  const isSingle = isKnown && (list.data?.length ?? 0) < 2;
  return { list, isEverything, isSingle, hasNone };
}
