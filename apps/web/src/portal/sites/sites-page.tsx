import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, useSearchParams } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { SearchField } from '../../shared/components/form/search-field.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { pathOfPortalLink } from './portal-link.ts';
import { searchFrom, searchParams } from './search.ts';
import { ShownFilter } from './shown-filter.tsx';
import { SiteList } from './site-list.tsx';
import classes from './sites-page.module.css';

export function Page() {
  const { t } = useTranslation('sites');
  const wished = pathOfPortalLink(useLocationProperty(() => location.hash));
  const [params, setParams] = useSearchParams();
  if (wished !== undefined) return <Redirect to={wished} replace />;
  const search = searchFrom(params);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageTitle text={t('list.title')} />
        <Button component={Link} href="/sites/add">
          {t('list.add')}
        </Button>
      </div>
      <div className={classes.tools}>
        <SearchField
          label={t('list.search')}
          value={search.words}
          onChange={(words) => setParams(searchParams({ ...search, words }), { replace: true })}
        />
        <ShownFilter
          shown={search.shown}
          onChange={(shown) => setParams(searchParams({ ...search, shown }), { replace: true })}
        />
      </div>
      <SiteList search={search} />
    </div>
  );
}
