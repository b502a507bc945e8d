import type { SiteSummary } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Empty } from '../../shared/components/states/empty.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { usePortalSession } from '../session/session.ts';
import { type LocatedSite, MapPlot } from './map-plot.tsx';
import { siteMapQuery } from './queries.ts';
import type { SiteSearch } from './search.ts';
import classes from './site-map.module.css';
import { STATE_LABELS } from './state-labels.ts';

/** The sites that match on a map, as far as their location is known, and the same in a list. */
export function SiteMap({ search }: { readonly search: SiteSearch }) {
  const { t } = useTranslation(['sites', 'fleet']);
  const { number } = useFormat();
  const query = useQuery(siteMapQuery(search));
  const { map_tiles: tiles } = usePortalSession();
  return (
    <QueryResult query={query}>
      {(sites) => {
        if (sites.length === 0)
          return <Empty title={t('list.nothingFound')}>{t('list.nothingFoundHint')}</Empty>;
        const located = sites.filter(isLocated).map((site) => ({
          id: site.id,
          name: site.name ?? t('unnamed', { id: site.id }),
          state: site.state,
          stateLabel: t(STATE_LABELS[site.state]),
          latitude: site.latitude,
          longitude: site.longitude,
        }));
        if (located.length === 0)
          return <Empty title={t('map.none', { ns: 'fleet' })}>{t('map.noneHint', { ns: 'fleet' })}</Empty>;
        return (
          <>
            <p className={classes.count} role="status">
              {t('map.shown', { ns: 'fleet', shown: number(located.length), all: number(sites.length) })}
            </p>
            <MapPlot sites={located} tiles={tiles} />
            {/* biome-ignore lint/a11y/noRedundantRoles: Safari forgets that a list without bullets is one */}
            <ul className={classes.list} role="list" aria-label={t('map.list', { ns: 'fleet' })}>
              {located.map((site) => (
                <li key={site.id}>
                  <Link href={`/sites/${site.id}`}>{site.name}</Link>
                  <span className={classes.state}>{site.stateLabel}</span>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </QueryResult>
  );
}

function isLocated(site: SiteSummary): site is SiteSummary & Pick<LocatedSite, 'latitude' | 'longitude'> {
  return site.latitude !== null && site.longitude !== null;
}
