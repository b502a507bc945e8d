import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, useSearchParams } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { SearchField } from '../../shared/components/form/search-field.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { pathOfPortalLink } from './portal-link.ts';
import { sitesQuery } from './queries.ts';
import { searchFrom, searchParams } from './search.ts';
import { SiteFilterControl } from './site-filter-control.tsx';
import { SiteList } from './site-list.tsx';
import classes from './sites-page.module.css';
import { useSiteList } from './use-site-list.ts';

/** The list of those who come by an address, as it is when it is read. */
export async function loader(): Promise<void> {
  const search = searchFrom(new URLSearchParams(location.search));
  await queries.prefetchInfiniteQuery(sitesQuery(search));
}

export function Page() {
  const { t } = useTranslation('sites');
  const target = pathOfPortalLink(useLocationProperty(() => location.hash));
  const [params, setParams] = useSearchParams();
  const search = searchFrom(params);
  const { hasNone } = useSiteList(search);
  if (target !== undefined) return <Redirect to={target} replace />;
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
          <SearchField
            label={t('list.search')}
            value={search.text}
            onChange={(text) => setParams(searchParams({ ...search, text }), { replace: true })}
          />
          <SiteFilterControl
            filter={search.filter}
            onChange={(filter) => setParams(searchParams({ ...search, filter }), { replace: true })}
          />
        </div>
      )}
      <SiteList search={search} />
    </div>
  );
}
