import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/components/states/empty.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { NoSites } from './no-sites.tsx';
import type { SiteSearch } from './search.ts';
import { SiteCard } from './site-card.tsx';
import classes from './site-list.module.css';
import { useSiteList } from './use-site-list.ts';

/** The sites that somebody looks for, a page at a time. */
export function SiteList({ search }: { readonly search: SiteSearch }) {
  const { t } = useTranslation('sites');
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
          </>
        );
      }}
    </QueryResult>
  );
}
