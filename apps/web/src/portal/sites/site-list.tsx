import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { NoSites } from './no-sites.tsx';
import { sitesQuery } from './queries.ts';
import { queryOf, type SiteSearch } from './search.ts';
import { SiteCard } from './site-card.tsx';
import classes from './site-list.module.css';

/** The sites that somebody looks for, a page at a time. */
export function SiteList({ search }: { readonly search: SiteSearch }) {
  const { t } = useTranslation('sites');
  const { data, error, isPlaceholderData, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(sitesQuery(search));
  const sites = data?.pages.flat();
  if (sites === undefined) {
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (sites.length === 0) {
    return queryOf(search) === '' ? <NoSites /> : <Empty title={t('list.nothingFound')}>{t('list.nothingFoundHint')}</Empty>;
  }
  return (
    <>
      <ul className={classes.list} aria-label={t('list.title')} aria-busy={isPlaceholderData}>
        {sites.map((site) => (
          <li key={site.id}>
            <SiteCard site={site} isOnly={sites.length === 1 && queryOf(search) === ''} />
          </li>
        ))}
      </ul>
      {error !== null && <Failure error={error} onRetry={() => void fetchNextPage()} />}
      {hasNextPage && (
        <Button
          className={classes.more}
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('list.more')}
        </Button>
      )}
    </>
  );
}
