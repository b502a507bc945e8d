import type { SiteSummary } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { usePortalSession } from '../../session/session.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { OpenAlerts } from '../list/open-alerts.tsx';
import { siteMapQuery } from '../list/queries.ts';
import type { SiteSearch } from '../list/search.ts';
import type { MapView, Place } from './map-clusters.ts';
import { type LocatedSite, MapPlot } from './map-plot.tsx';
import classes from './site-map.module.css';

/** Those that need attention most; the view of the map chooses among the others. */
const LISTED_SITES = 50;

/** The sites that match on a map, as far as their location is known, and the same in a list. */
export function SiteMap({ search }: { readonly search: SiteSearch }) {
  const { t } = useTranslation(['sites', 'fleet']);
  const { number } = useFormat();
  const query = useQuery(siteMapQuery(search));
  return (
    <QueryResult query={query}>
      {(sites) => {
        if (sites.length === 0)
          return <Empty title={t('list.nothingFound')}>{t('list.nothingFoundHint')}</Empty>;
        const located = sites.filter(isLocated);
        if (located.length === 0)
          return <Empty title={t('map.none', { ns: 'fleet' })}>{t('map.noneHint', { ns: 'fleet' })}</Empty>;
        return (
          <>
            <p className={classes.count} role="status">
              {t('map.shown', { ns: 'fleet', shown: number(located.length), all: number(sites.length) })}
            </p>
            <LocatedSites sites={located} />
          </>
        );
      }}
    </QueryResult>
  );
}

/** The map, and a list of what it shows. */
function LocatedSites({ sites }: { readonly sites: readonly (SiteSummary & Place)[] }) {
  const { t } = useTranslation(['sites', 'fleet']);
  const { t: ofShared } = useTranslation();
  const { number } = useFormat();
  const { map_tiles: tiles } = usePortalSession();
  const [view, setView] = useState<MapView>();
  const plotted = useMemo(
    () =>
      sites.map((site): LocatedSite => {
        const { id, latitude, longitude, state } = site;
        const severity = severityShown(site);
        const labels = [ofShared(`state.${state}`), severity && t(`openAlerts.${severity}`)];
        return {
          ...{ id, latitude, longitude },
          name: site.name ?? t('unnamed', { id }),
          tone: severity ?? state,
          label: labels.filter(Boolean).join(' · '),
        };
      }),
    [sites, t, ofShared],
  );
  const inView = sites.filter((site) => view === undefined || isInView(site, view));
  const more = inView.length - LISTED_SITES;
  return (
    <>
      <MapPlot sites={plotted} onView={setView} tiles={tiles} />
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari forgets that a list without bullets is one */}
      <ul className={classes.list} role="list" aria-label={t('map.list', { ns: 'fleet' })}>
        {inView.slice(0, LISTED_SITES).map((site) => (
          <li key={site.id}>
            <Link href={`/sites/${site.id}`}>{site.name ?? t('unnamed', { id: site.id })}</Link>
            <span className={classes.states}>
              <OpenAlerts alerts={site.open_alerts} />
              <StateBadge state={site.state} />
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.count}>{t('map.more', { ns: 'fleet', more: number(more) })}</p>}
    </>
  );
}

/** The severity of an alert that a mark shows in place of a state that is better. */
function severityShown({ state, open_alerts: alerts }: SiteSummary): 'critical' | 'warning' | undefined {
  if (alerts.severity === 'critical') return 'critical';
  return alerts.severity === 'warning' && state === 'online' ? 'warning' : undefined;
}

/** A world that is seen more than once has no sides. */
function isInView({ latitude, longitude }: Place, { west, south, east, north }: MapView): boolean {
  if (latitude < south || latitude > north) return false;
  const fromWest = (((longitude - west) % 360) + 360) % 360;
  return fromWest <= east - west;
}

function isLocated(site: SiteSummary): site is SiteSummary & Place {
  return site.latitude !== null && site.longitude !== null;
}
